/* <string.h> and <strings.h>. What a function reads and writes here is what its caller must own. */
#define _GNU_SOURCE 1
#include <precis.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static int has(const char *set, char c)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

static int lower(byte c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Areas that overlap are copied as by memmove. */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    __precis_copy(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    __precis_copy(to, from, n);
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    __precis_copy(to, from, n);
    return (char *)to + n;
}

void *memset(void *to, int value, size_t n)
{
    __precis_fill(to, value, n);
    return to;
}

/* Both areas must have n bytes, wherever they differ. */
int memcmp(const void *a, const void *b, size_t n)
{
    const byte *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        byte p = x[i], q = y[i];
        if (order == 0 && p != q)
            order = p < q ? -1 : 1;
    }
    return order;
}

void *memchr(const void *from, int value, size_t n)
{
    const byte *x = from;
    for (size_t i = 0; i < n; i++)
        if (x[i] == (byte)value)
            return (void *)(x + i);
    return NULL;
}

void *memrchr(const void *from, int value, size_t n)
{
    const byte *x = from;
    while (n-- > 0)
        if (x[n] == (byte)value)
            return (void *)(x + n);
    return NULL;
}

void *rawmemchr(const void *from, int value)
{
    const byte *x = from;
    while (*x != (byte)value)
        x++;
    return (void *)x;
}

void *memccpy(void *restrict to, const void *restrict from, int value, size_t n)
{
    byte *x = to;
    const byte *y = from;
    for (size_t i = 0; i < n; i++) {
        x[i] = y[i];
        if (y[i] == (byte)value)
            return x + i + 1;
    }
    return NULL;
}

void *memmem(const void *from, size_t n, const void *part, size_t size)
{
    const byte *x = from, *y = part;
    for (size_t i = 0; size <= n && i <= n - size; i++) {
        size_t k = 0;
        while (k < size && x[i + k] == y[k])
            k++;
        if (k == size)
            return (void *)(x + i);
    }
    return NULL;
}

size_t strlen(const char *text)
{
    return length(text);
}

size_t strnlen(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i])
        i++;
    return i;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    for (size_t rest = i; rest < n; rest++)
        to[rest] = 0;
    return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    size_t end = length(to), i = 0;
    while ((to[end + i] = from[i]))
        i++;
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    size_t end = length(to), i = 0;
    for (; i < n && from[i]; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

static int compare(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        byte x = (byte)a[i], y = (byte)b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (!x || !y) /* one is where the other is */
            break;
    }
    return 0;
}

static int compare_folded(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        byte p = (byte)a[i], q = (byte)b[i];
        int x = lower(p), y = lower(q);
        if (x != y)
            return x < y ? -1 : 1;
        if (!p || !q) /* one is where the other is */
            break;
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return compare(a, b, (size_t)-1);
}

int strncmp(const char *a, const char *b, size_t n)
{
    return compare(a, b, n);
}

int strcoll(const char *a, const char *b)
{
    return compare(a, b, (size_t)-1);
}

int strcasecmp(const char *a, const char *b)
{
    return compare_folded(a, b, (size_t)-1);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    return compare_folded(a, b, n);
}

/* In the "C" locale a string is its own sort key. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    size_t all = length(from);
    if (n > 0)
        __precis_copy(to, from, all < n ? all + 1 : n);
    return all;
}

char *strchrnul(const char *text, int c)
{
    while (*text && *text != (char)c)
        text++;
    return (char *)text;
}

char *strchr(const char *text, int c)
{
    while (*text != (char)c)
        if (!*text++)
            return NULL;
    return (char *)text;
}

char *strrchr(const char *text, int c)
{
    const char *last = NULL;
    do
        if (*text == (char)c)
            last = text;
    while (*text++);
    return (char *)last;
}

size_t strspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && has(set, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !has(set, text[n]))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *set)
{
    for (; *text; text++)
        if (has(set, *text))
            return (char *)text;
    return NULL;
}

char *strstr(const char *text, const char *part)
{
    for (size_t n = length(part);; text++) {
        if (compare(text, part, n) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

char *strcasestr(const char *text, const char *part)
{
    for (size_t n = length(part);; text++) {
        if (compare_folded(text, part, n) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

static char *token(char *text, const char *separators, char **rest)
{
    if (!text)
        text = *rest;
    if (!text)
        return NULL;
    while (*text && has(separators, *text))
        text++;
    *rest = text;
    if (!*text)
        return NULL;
    char *end = text;
    while (*end && !has(separators, *end))
        end++;
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return token(text, separators, rest);
}

char *strtok(char *restrict text, const char *restrict separators)
{
    static char *rest;
    return token(text, separators, &rest);
}

char *strsep(char **restrict text, const char *restrict separators)
{
    char *start = *text, *end = start;
    if (!start)
        return NULL;
    while (*end && !has(separators, *end))
        end++;
    *text = *end ? end + 1 : NULL;
    *end = 0;
    return start;
}

static char *duplicate(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    __precis_copy(copy, text, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *text)
{
    return duplicate(text, length(text));
}

char *strndup(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && text[i])
        i++;
    return duplicate(text, i);
}

/* As memset, but never left out by a compiler. */
void explicit_bzero(void *to, size_t n)
{
    __precis_fill(to, 0, n);
}

/* Gives the length of `from`; what does not fit is cut off. */
size_t strlcpy(char *restrict to, const char *restrict from, size_t room)
{
    size_t n = length(from);
    if (room > 0) {
        size_t kept = n < room ? n : room - 1;
        __precis_copy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

/* Gives the length that was wanted. A text without an end inside the room stays as it is. */
size_t strlcat(char *restrict to, const char *restrict from, size_t room)
{
    size_t start = 0;
    while (start < room && to[start])
        start++;
    return start + strlcpy(to + start, from, room - start);
}
