/* No files are modelled: every attempt to reach one fails, with the reason in errno. */
#define _GNU_SOURCE 1
#include "stream.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every path names nothing, but it must be a string. */
static int no_such_file(const char *path)
{
    while (*path)
        path++;
    errno = ENOENT;
    return -1;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    errno = *mode == 'r' || *mode == 'w' || *mode == 'a' ? ENOENT : EINVAL;
    while (*path)
        path++;
    return NULL;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    stream->closed = 1;
    (void)mode;
    if (path)
        no_such_file(path);
    return NULL;
}

FILE *fdopen(int fd, const char *mode)
{
    (void)fd;
    no_such_file(mode);
    errno = EBADF;
    return NULL;
}

FILE *popen(const char *command, const char *mode)
{
    (void)mode;
    no_such_file(command);
    errno = ENOMEM;
    return NULL;
}

int pclose(FILE *stream)
{
    stream->closed = 1;
    errno = ECHILD;
    return -1;
}

FILE *tmpfile(void)
{
    errno = EACCES;
    return NULL;
}

char *tmpnam(char *to)
{
    (void)to;
    return NULL;
}

int remove(const char *path) { return no_such_file(path); }
int unlink(const char *path) { return no_such_file(path); }
int rmdir(const char *path) { return no_such_file(path); }
int chdir(const char *path) { return no_such_file(path); }
int creat(const char *path, mode_t mode) { return (void)mode, no_such_file(path); }
int open(const char *path, int flags, ...) { return (void)flags, no_such_file(path); }
int access(const char *path, int mode) { return (void)mode, no_such_file(path); }
int mkdir(const char *path, mode_t mode) { return (void)mode, no_such_file(path); }
int chmod(const char *path, mode_t mode) { return (void)mode, no_such_file(path); }
int stat(const char *restrict path, struct stat *restrict to) { return (void)to, no_such_file(path); }
int lstat(const char *restrict path, struct stat *restrict to) { return (void)to, no_such_file(path); }

int rename(const char *from, const char *to)
{
    no_such_file(to);
    return no_such_file(from);
}

int mkstemp(char *name)
{
    no_such_file(name);
    errno = EACCES;
    return -1;
}

char *realpath(const char *restrict path, char *restrict to)
{
    (void)to;
    no_such_file(path);
    return NULL;
}

/* The standard streams cannot seek. */
static int no_seek(FILE *stream)
{
    errno = stream->closed ? EBADF : ESPIPE;
    return -1;
}

int fseek(FILE *stream, long offset, int whence) { return (void)offset, (void)whence, no_seek(stream); }
int fseeko(FILE *stream, off_t offset, int whence) { return (void)offset, (void)whence, no_seek(stream); }
long ftell(FILE *stream) { return no_seek(stream); }
off_t ftello(FILE *stream) { return no_seek(stream); }
int fgetpos(FILE *restrict stream, fpos_t *restrict place) { return (void)place, no_seek(stream); }
int fsetpos(FILE *stream, const fpos_t *place) { return (void)place, no_seek(stream); }

void rewind(FILE *stream)
{
    no_seek(stream);
    stream->failed = 0;
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t room)
{
    (void)to;
    (void)room;
    return no_such_file(path);
}

int link(const char *from, const char *to)
{
    no_such_file(to);
    return no_such_file(from);
}

int symlink(const char *from, const char *to)
{
    no_such_file(from);
    return no_such_file(to);
}

int truncate(const char *path, off_t size)
{
    (void)size;
    return no_such_file(path);
}

int mkstemps(char *name, int ending)
{
    (void)ending;
    return no_such_file(name);
}

char *mkdtemp(char *name)
{
    no_such_file(name);
    return NULL;
}
