/* Wide strings. */
#define _GNU_SOURCE 1
#include <precis.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static size_t length(const wchar_t *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static int has(const wchar_t *set, wchar_t c)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    __precis_copy(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    __precis_copy(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        wchar_t p = a[i], q = b[i];
        if (order == 0 && p != q)
            order = p < q ? -1 : 1;
    }
    return order;
}

wchar_t *wmemchr(const wchar_t *from, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (from[i] == c)
            return (wchar_t *)(from + i);
    return NULL;
}

size_t wcslen(const wchar_t *text)
{
    return length(text);
}

size_t wcsnlen(const wchar_t *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i])
        i++;
    return i;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t end = length(to), i = 0;
    while ((to[end + i] = from[i]))
        i++;
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t end = length(to), i = 0;
    for (; i < n && from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

static int compare(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (!a[i])
            break;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    return compare(a, b, (size_t)-1);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    return compare(a, b, n);
}

wchar_t *wcschr(const wchar_t *text, wchar_t c)
{
    while (*text != c)
        if (!*text++)
            return NULL;
    return (wchar_t *)text;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c)
{
    const wchar_t *last = NULL;
    do
        if (*text == c)
            last = text;
    while (*text++);
    return (wchar_t *)last;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part)
{
    for (size_t n = length(part);; text++) {
        if (compare(text, part, n) == 0)
            return (wchar_t *)text;
        if (!*text)
            return NULL;
    }
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set)
{
    for (; *text; text++)
        if (has(set, *text))
            return (wchar_t *)text;
    return NULL;
}

size_t wcsspn(const wchar_t *text, const wchar_t *set)
{
    size_t n = 0;
    while (text[n] && has(set, text[n]))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *text, const wchar_t *set)
{
    size_t n = 0;
    while (text[n] && !has(set, text[n]))
        n++;
    return n;
}

wchar_t *wcsdup(const wchar_t *text)
{
    size_t size = (length(text) + 1) * sizeof *text;
    wchar_t *copy = malloc(size);
    if (copy)
        __precis_copy(copy, text, size);
    return copy;
}

wint_t btowc(int c)
{
    return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

int wctob(wint_t c)
{
    return c < 128 ? (int)c : EOF;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    while ((*to = *from++))
        to++;
    return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    __precis_copy(to, from, n * sizeof *to);
    return to + n;
}

wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict separators, wchar_t **restrict rest)
{
    if (!text)
        text = *rest;
    if (text)
        text += wcsspn(text, separators);
    if (!text || !*text) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = text + wcscspn(text, separators);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return text;
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t size = wcslen(from);
    for (size_t i = 0; i < n && i <= size; i++)
        to[i] = from[i];
    return size;
}

static wchar_t lower(wchar_t c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n > 0; a++, b++, n--) {
        wchar_t x = lower(*a), y = lower(*b);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            break;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    return wcsncasecmp(a, b, (size_t)-1);
}
