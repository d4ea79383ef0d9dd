/* Multibyte characters in the "C" locale: ASCII, one byte each; anything else is EILSEQ. */
#include <errno.h>
#include <stdlib.h>

static int bad(void)
{
    errno = EILSEQ;
    return -1;
}

int mbtowc(wchar_t *restrict to, const char *restrict text, size_t n)
{
    if (!text)
        return 0;
    if (n == 0)
        return -1;
    unsigned char c = (unsigned char)*text;
    if (c > 127)
        return bad();
    if (to)
        *to = c;
    return c != 0;
}

int mblen(const char *text, size_t n)
{
    return mbtowc(NULL, text, n);
}

int wctomb(char *to, wchar_t c)
{
    if (!to)
        return 0;
    if (c < 0 || c > 127)
        return bad();
    *to = (char)c;
    return 1;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        unsigned char c = (unsigned char)from[i];
        if (c > 127)
            return (size_t)bad();
        if (to)
            to[i] = c;
        if (!c)
            break;
    }
    return i;
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        wchar_t c = from[i];
        if (c < 0 || c > 127)
            return (size_t)bad();
        if (to)
            to[i] = (char)c;
        if (!c)
            break;
    }
    return i;
}
