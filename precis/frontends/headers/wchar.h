#ifndef _WCHAR_H
#define _WCHAR_H
#include <features.h>
#include <stdarg.h>
#include <precis_types.h>

typedef __WINT_TYPE__ wint_t;
typedef struct {
    int __count;
    unsigned __value;
} mbstate_t;
#define WEOF ((wint_t)-1)
#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-WCHAR_MAX - 1)
#endif

wchar_t *wmemcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n);
wchar_t *wmemchr(const wchar_t *from, wchar_t c, size_t n);
size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
wchar_t *wcscat(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncat(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
int wcscmp(const wchar_t *a, const wchar_t *b);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set);
size_t wcsspn(const wchar_t *text, const wchar_t *set);
size_t wcscspn(const wchar_t *text, const wchar_t *set);
wchar_t *wcstok(wchar_t *__restrict text, const wchar_t *__restrict separators, wchar_t **__restrict rest);
int wcscoll(const wchar_t *a, const wchar_t *b);
size_t wcsxfrm(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *__restrict text, size_t n, mbstate_t *__restrict state);
size_t mbrtowc(wchar_t *__restrict to, const char *__restrict text, size_t n, mbstate_t *__restrict state);
size_t wcrtomb(char *__restrict to, wchar_t c, mbstate_t *__restrict state);
size_t mbsrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t n, mbstate_t *__restrict state);
size_t wcsrtombs(char *__restrict to, const wchar_t **__restrict from, size_t n, mbstate_t *__restrict state);
wint_t btowc(int c);
int wctob(wint_t c);
#ifdef __PRECIS_POSIX
size_t wcsnlen(const wchar_t *text, size_t n);
wchar_t *wcsdup(const wchar_t *text);
wchar_t *wcpcpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wmempcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t n);
int wcscasecmp(const wchar_t *a, const wchar_t *b);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n);
#endif
#endif
