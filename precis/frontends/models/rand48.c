/* The 48-bit generators; their numbers are those of glibc. */
#define _GNU_SOURCE 1
#include <stdlib.h>

typedef unsigned long long word;
static word state;

static word next(word x)
{
    return (x * 0x5DEECE66DULL + 0xB) & 0xFFFFFFFFFFFFULL;
}

static word next_of(unsigned short x[3])
{
    word y = next(x[0] | (word)x[1] << 16 | (word)x[2] << 32);
    x[0] = (unsigned short)y;
    x[1] = (unsigned short)(y >> 16);
    x[2] = (unsigned short)(y >> 32);
    return y;
}

static double fraction(word x) { return (double)x / 281474976710656.0; }
static long low_part(word x) { return (long)(x >> 17); }
static long whole_part(word x) { return (int)(x >> 16); }

void srand48(long seed)
{
    state = (word)(unsigned)seed << 16 | 0x330E;
}

double drand48(void) { return fraction(state = next(state)); }
long lrand48(void) { return low_part(state = next(state)); }
long mrand48(void) { return whole_part(state = next(state)); }
double erand48(unsigned short x[3]) { return fraction(next_of(x)); }
long nrand48(unsigned short x[3]) { return low_part(next_of(x)); }
long jrand48(unsigned short x[3]) { return whole_part(next_of(x)); }
