/* Messages on stderr; the name of the program is left out of them. */
#define _GNU_SOURCE 1
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vwarnx(const char *format, va_list args)
{
    if (format)
        vfprintf(stderr, format, args);
    fputs("\n", stderr);
}

void vwarn(const char *format, va_list args)
{
    int number = errno;
    if (format) {
        vfprintf(stderr, format, args);
        fputs(": ", stderr);
    }
    fputs(strerror(number), stderr);
    fputs("\n", stderr);
}

void verr(int status, const char *format, va_list args)
{
    vwarn(format, args);
    exit(status);
}

void verrx(int status, const char *format, va_list args)
{
    vwarnx(format, args);
    exit(status);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vwarn(format, args);
    va_end(args);
}

void warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vwarnx(format, args);
    va_end(args);
}

void err(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verr(status, format, args);
}

void errx(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verrx(status, format, args);
}
