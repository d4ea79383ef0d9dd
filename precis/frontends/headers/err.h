#ifndef _ERR_H
#define _ERR_H
#include <features.h>
#include <stdarg.h>
void warn(const char *format, ...);
void vwarn(const char *format, va_list args);
void warnx(const char *format, ...);
void vwarnx(const char *format, va_list args);
void err(int status, const char *format, ...) __PRECIS_NORETURN;
void verr(int status, const char *format, va_list args) __PRECIS_NORETURN;
void errx(int status, const char *format, ...) __PRECIS_NORETURN;
void verrx(int status, const char *format, va_list args) __PRECIS_NORETURN;
#endif
