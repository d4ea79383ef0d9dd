#include <limits.h>
#include <stdint.h>
#include <stdio.h>
enum color { RED = -2, GREEN, BLUE = 10, LAST };
typedef unsigned char byte;
static int calls;
static int count(int x) { calls++; return x; }
int main(void) {
    signed char sc = -1; unsigned char uc = 255; short s = -32768; unsigned short us = 65535;
    int i = INT_MIN; unsigned u = UINT_MAX; long l = LONG_MIN; unsigned long ul = ULONG_MAX;
    long long ll = LLONG_MAX; _Bool b = 256; char c = (char)200;
    printf("%d %d %d %d %d %u %ld %lu %lld %d %d\n", sc, uc, s, us, i, u, l, ul, ll, b, c);
    printf("%d %d %d\n", -7 / 2, -7 % 2, 7 / -2);
    printf("%u %u\n", -7u / 2, (unsigned)-7 % 2);
    printf("%d %d %d %d\n", sc < uc, sc < u, (int)(sc < 1u), l < ul);
    printf("%d %d %u\n", -1 >> 1, sc >> 3, u >> 4);
    printf("%lld %llu\n", (long long)u * u, (unsigned long long)u * u);
    printf("%d %d %d %d\n", RED, GREEN, BLUE, LAST);
    printf("%d %d %d\n", (byte)300, (short)70000, (signed char)200);
    printf("%d %d\n", ~5, !5);
    int x = 5, y = x++ + 1, z = ++x; x += y -= 2; x <<= 2; x |= 1; x ^= 7; x %= 100; x &= 63;
    printf("%d %d %d\n", x, y, z);
    uc += 10; uc *= 3; sc -= 128; us = us + us;
    printf("%d %d %d\n", uc, sc, us);
    unsigned char k = 1; k <<= 9; k -= 1; printf("%d\n", k);
    printf("%d\n", (count(0) && count(1)) || (count(2) && count(3)) ? calls : -calls);
    printf("%d\n", (count(1), count(5)) + (1 ? count(2) : count(9)));
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(long), sizeof(void *), sizeof(enum color));
    int64_t big = INT64_C(1) << 40; printf("%lx %lo %#x\n", (unsigned long)big, (unsigned long)big, 255);
    int v = 3; v = v > 2 ? v < 10 ? 7 : 8 : 9; printf("%d\n", v);
    double d = 3.99; int t = d; unsigned char fromd = 65.7; printf("%d %d %d\n", t, (int)-3.99, fromd);
    t += 1.75; printf("%d\n", t); t = 7; t *= 1.5; printf("%d\n", t);
    b = 0.5; printf("%d\n", b); b = &b != 0; printf("%d\n", b); b--; b--; printf("%d\n", b);
    printf("%d\n", 'a' + '\n' + '\x41' + '\101' + L'b');
    unsigned long long w = 1ULL << 63; printf("%llu %lld %d\n", w, (long long)w, (int)(w >> 60));
    return sizeof(int) == 4 ? (char)7 : 1;
}
