/* Small parts of <stdlib.h>: arithmetic, random numbers, the environment. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

intmax_t imaxabs(intmax_t n)
{
    return n < 0 ? -n : n;
}

div_t div(int n, int by)
{
    div_t result = {n / by, n % by};
    return result;
}

ldiv_t ldiv(long n, long by)
{
    ldiv_t result = {n / by, n % by};
    return result;
}

lldiv_t lldiv(long long n, long long by)
{
    lldiv_t result = {n / by, n % by};
    return result;
}

imaxdiv_t imaxdiv(intmax_t n, intmax_t by)
{
    imaxdiv_t result = {n / by, n % by};
    return result;
}

/* rand is deterministic and gives the numbers of glibc: each is the sum of those 3 and 31 places back.
   `past` is a ring of the last 31; `place` is the oldest (at the start the first three count twice).
   The state before any srand is that of srand(1). */
enum { RING = 31 };
static unsigned past[RING];
static int place;
static int seeded;

static unsigned next_sum(void)
{
    past[place] += past[(place + RING - 3) % RING];
    unsigned sum = past[place];
    place = (place + 1) % RING;
    return sum;
}

static void seed_ring(unsigned seed)
{
    long long word = (int)(seed ? seed : 1);
    for (int i = 0; i < RING; i++) {
        past[i] = (unsigned)word;
        word = word * 16807 % 2147483647;
        if (word < 0)
            word += 2147483647;
    }
    place = 3;
    for (int i = 0; i < 10 * RING; i++)
        next_sum();
    seeded = 1;
}

static int next_random(void)
{
    if (!seeded)
        seed_ring(1);
    return (int)(next_sum() >> 1);
}

int rand(void)
{
    return next_random();
}

void srand(unsigned seed)
{
    seed_ring(seed);
}

long random(void)
{
    return next_random();
}

void srandom(unsigned seed)
{
    seed_ring(seed);
}

/* Deterministic in the seed; the numbers are not glibc's. */
int rand_r(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)(*seed >> 1);
}

/* Any numbers, at every call. */
unsigned arc4random(void)
{
    return __VERIFIER_nondet_uint();
}

unsigned arc4random_uniform(unsigned bound)
{
    return bound ? __VERIFIER_nondet_uint() % bound : 0;
}

void arc4random_buf(void *to, size_t n)
{
    unsigned char *bytes = to;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)__VERIFIER_nondet_uint();
}

static int first(const char *text)
{
    return *text;
}

/* The environment is empty and cannot be changed; there is no shell. */
char *getenv(const char *name)
{
    first(name);
    return NULL;
}

char *secure_getenv(const char *name)
{
    first(name);
    return NULL;
}

int setenv(const char *name, const char *value, int replace)
{
    first(name);
    first(value);
    (void)replace;
    errno = ENOMEM;
    return -1;
}

int unsetenv(const char *name)
{
    first(name);
    return 0;
}

int clearenv(void)
{
    return 0;
}

int putenv(char *text)
{
    first(text);
    errno = ENOMEM;
    return -1;
}

int system(const char *command)
{
    return command ? -1 : 0;
}
