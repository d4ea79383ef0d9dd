/* What glibc's headers call instead of the plain functions where _FORTIFY_SOURCE is on: `room` is
   what the compiler knows of the size of the object, all ones if it knows nothing. A program that
   would run past it ends. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __chk_fail(void)
{
    abort();
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        __chk_fail();
    return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    if (n > room)
        __chk_fail();
    return memmove(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    return (char *)__memcpy_chk(to, from, n, room) + n;
}

void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
    if (n > room)
        __chk_fail();
    return memset(to, byte, n);
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
    if (strlen(from) >= room)
        __chk_fail();
    return strcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    if (n > room)
        __chk_fail();
    return strncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
    if (strlen(from) >= room - strlen(to))
        __chk_fail();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
    if (strnlen(from, n) >= room - strlen(to))
        __chk_fail();
    return strncat(to, from, n);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    return __strcpy_chk(to, from, room) + strlen(from);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    if (n > room)
        __chk_fail();
    return stpncpy(to, from, n);
}

int __vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return vprintf(format, args);
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
    (void)flag;
    return vfprintf(stream, format, args);
}

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    if (n > room)
        __chk_fail();
    return vsnprintf(to, n, format, args);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    int n;
    if (room == (size_t)-1)
        return vsprintf(to, format, args);
    n = vsnprintf(to, room, format, args);
    if (n >= 0 && (size_t)n >= room)
        __chk_fail();
    return n;
}

int __printf_chk(int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __vprintf_chk(flag, format, args);
    va_end(args);
    return n;
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __vfprintf_chk(stream, flag, format, args);
    va_end(args);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __vsprintf_chk(to, flag, room, format, args);
    va_end(args);
    return n;
}

int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = __vsnprintf_chk(to, n, flag, room, format, args);
    va_end(args);
    return length;
}
