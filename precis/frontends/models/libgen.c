/* Parts of a path, cut out of the text that is given. */
#include <libgen.h>
#include <stddef.h>

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

/* The length without slashes at the end; a path of slashes alone keeps one. */
static size_t without_slashes(const char *path, size_t n)
{
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

char *basename(char *path)
{
    if (!path || !*path)
        return (char *)".";
    size_t n = without_slashes(path, length(path));
    if (n == 1 && path[0] == '/')
        return path + length(path) - 1;
    path[n] = 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path + n;
}

char *dirname(char *path)
{
    size_t n = path ? without_slashes(path, length(path)) : 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return (char *)".";
    n = without_slashes(path, n);
    if (n == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        n = 2;
    path[n] = 0;
    return path;
}
