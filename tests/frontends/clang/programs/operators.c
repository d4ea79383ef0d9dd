/* Integer and floating operators: conversions, promotions, wrapping, shifts, comparison. */
#include <stdio.h>

static int calls;
static int count(int x) { calls++; return x; }

int main(void)
{
    unsigned char uc = 250;
    signed char sc = -3;
    unsigned short us = 65535;
    unsigned u = 4000000000u;
    long l = -5;
    unsigned long long ull = ~0ull;
    _Bool b = 0.5;
    float f = 1.1f;
    double d = 3.9;
    printf("%d %d %u %ld\n", uc + 10, sc * us, u + 1000000000u, l / 2);
    printf("%d %ld %d\n", (int)(l % 3), l >> 1, (int)(ull >> 60));
    printf("%d %d %d\n", b, !b, !!d);
    uc += 10; sc -= 200; us++; b++; b--;
    printf("%d %d %d %d\n", uc, sc, us, b);
    uc = 3; uc += 1.75; sc = 50; sc *= 1.5; us <<= 3; u /= 7; l %= 4; ull &= 0xff; ull |= 1 << 10; ull ^= 5;
    printf("%d %d %d %u %ld %llu\n", uc, sc, us, u, l, ull);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (unsigned char)-1 > 0);
    printf("%.3f %.3f %d %d\n", f + d, f * 2, (int)d, (int)-d);
    printf("%d %d %d %d\n", f < d, f == 1.1f, f == 1.1, d != d);
    printf("%d\n", count(0) && count(1)); printf("%d\n", calls);
    printf("%d\n", count(1) || count(1)); printf("%d\n", calls);
    printf("%d %d %d\n", 1 ? 2 : 3, 0 ?: 7, count(4) ?: count(5));
    printf("%d\n", calls);
    int i = 5, j;
    j = i++ + 10; printf("%d %d\n", i, j);
    j = --i * 2; printf("%d %d\n", i, j);
    j = (i = 3, i + 1); printf("%d %d\n", i, j);
    i = j = 9; printf("%d %d\n", i, j);
    printf("%d %d %d\n", ~i, -i, +i);
    printf("%d %d\n", 'a' == 97, sizeof 'a' == sizeof(int));
    printf("%d\n", (int)(char)200);
    printf("%u %u\n", (unsigned)-1 / 2, (unsigned)(1.5e9 * 2));
    long double ld = 1.5L; ld *= 2; ld++;
    printf("%.1Lf %d\n", ld, (int)ld);
    float g = 16777217; printf("%.1f\n", g);
#ifndef NARROW
    __int128 big = 1; big <<= 100; big += 7; printf("%d %d\n", (int)(big >> 98), (int)big);
#else
#define big 0
#endif
    printf("%d %d\n", 7 & 3 | 8 ^ 1, 1 << 2 + 1);
    double z = 0.0; printf("%d %d\n", 1 / z > 1e300, -z == z);
    int k = 2; k += k * 3; printf("%d\n", k);
    return (i > 3) + (i >= 9) * 2 + (i <= 9) * 4 + (i != 9) * 8;
}
