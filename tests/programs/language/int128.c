#include <stdio.h>
typedef __int128 i128; typedef unsigned __int128 u128; static i128 g = -5; static u128 mulmod(u128 a, u128 b) { return a * b % 1000000007; } struct s { i128 v; };
static void pr(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }
int main(void) { i128 a = (i128)1 << 100; u128 b = ~(u128)0; pr(a); pr(b); pr(a - 1); pr(g); pr(-a); pr(b / 3); pr(mulmod(b, 7)); pr((u128)0xffffffffffffffffULL * 0xffffffffffffffffULL); printf("%d %d %zu\n", a > b, g < 0, sizeof a); struct s s = { 7 }; s.v *= a; pr(s.v); printf("%d %g %lld\n", (int)(a >> 98), (double)a, (long long)(g * 3)); a = 3.5; pr(a); i128 arr[2] = { 1, -1 }; pr(arr[1]); static i128 k = ((i128)1 << 90) + 1; pr(k); switch ((int)a) { case 3: puts("3"); } return 0; }
