/* The printf functions, over one formatter. sprintf and its like store exactly the text and its final 0. */
#define _GNU_SOURCE 1
#include "stream.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Room that no text fills. */
#define UNBOUNDED SIZE_MAX

int vprintf(const char *restrict format, va_list args)
{
    return __precis_format_stream(stdout, format, args);
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list args)
{
    return __precis_format_stream(stream, format, args);
}

int vsprintf(char *restrict to, const char *restrict format, va_list args)
{
    return __precis_format_text(to, UNBOUNDED, format, args);
}

int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list args)
{
    return __precis_format_text(to, room, format, args);
}

int printf(const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __precis_format_stream(stdout, format, args);
    va_end(args);
    return n;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __precis_format_stream(stream, format, args);
    va_end(args);
    return n;
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __precis_format_text(to, UNBOUNDED, format, args);
    va_end(args);
    return n;
}

int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __precis_format_text(to, room, format, args);
    va_end(args);
    return n;
}

static FILE *stream_of(int fd)
{
    return fd == 0 ? stdin : fd == 1 ? stdout : fd == 2 ? stderr : NULL;
}

int vdprintf(int fd, const char *restrict format, va_list args)
{
    FILE *stream = stream_of(fd);
    if (!stream) {
        errno = EBADF;
        return -1;
    }
    return __precis_format_stream(stream, format, args);
}

int dprintf(int fd, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vdprintf(fd, format, args);
    va_end(args);
    return n;
}

int vasprintf(char **restrict to, const char *restrict format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = __precis_format_text(NULL, 0, format, again);
    va_end(again);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!text)
        return -1;
    *to = text;
    return __precis_format_text(text, UNBOUNDED, format, args);
}

int asprintf(char **restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vasprintf(to, format, args);
    va_end(args);
    return n;
}
