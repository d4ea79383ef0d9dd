/* The old BSD names of <strings.h>. */
#define _GNU_SOURCE 1
#include <precis.h>
#include <strings.h>

int bcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    int differ = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char p = x[i], q = y[i];
        if (!differ && p != q)
            differ = 1;
    }
    return differ;
}

void bcopy(const void *from, void *to, size_t n)
{
    __precis_copy(to, from, n);
}

void bzero(void *to, size_t n)
{
    __precis_fill(to, 0, n);
}

char *index(const char *text, int c)
{
    while (*text != (char)c)
        if (!*text++)
            return NULL;
    return (char *)text;
}

char *rindex(const char *text, int c)
{
    const char *last = NULL;
    do
        if (*text == (char)c)
            last = text;
    while (*text++);
    return (char *)last;
}

/* The place of the lowest set bit, counted from 1; 0 if there is none. */
static int lowest_bit(unsigned long long n)
{
    int place = 1;
    if (n == 0)
        return 0;
    while (!(n & 1)) {
        n >>= 1;
        place++;
    }
    return place;
}

int ffs(int n)
{
    return lowest_bit((unsigned)n);
}

int ffsl(long n)
{
    return lowest_bit((unsigned long)n);
}

int ffsll(long long n)
{
    return lowest_bit((unsigned long long)n);
}
