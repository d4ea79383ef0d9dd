/* Multibyte characters of <wchar.h>: ASCII, one byte each, so that no state is ever left. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <wchar.h>

static size_t bad(void)
{
    errno = EILSEQ;
    return (size_t)-1;
}

int mbsinit(const mbstate_t *state)
{
    (void)state;
    return 1;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict text, size_t n, mbstate_t *restrict state)
{
    (void)state;
    if (!text)
        return 0;
    if (n == 0)
        return (size_t)-2;
    unsigned char c = (unsigned char)*text;
    if (c > 127)
        return bad();
    if (to)
        *to = c;
    return c != 0;
}

size_t mbrlen(const char *restrict text, size_t n, mbstate_t *restrict state)
{
    return mbrtowc(NULL, text, n, state);
}

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state)
{
    (void)state;
    if (!to)
        return 1;
    if (c < 0 || c > 127)
        return bad();
    *to = (char)c;
    return 1;
}

/* Without `to` only the length is wanted, and *from stays. */
size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    const char *text = *from;
    size_t done = mbstowcs(to, text, n);
    if (to && done != (size_t)-1)
        *from = done < n ? NULL : text + done;
    return done;
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    const wchar_t *text = *from;
    size_t done = wcstombs(to, text, n);
    if (to && done != (size_t)-1)
        *from = done < n ? NULL : text + done;
    return done;
}
