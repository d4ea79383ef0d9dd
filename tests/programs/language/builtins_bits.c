#include <stdio.h>
int main(void) {
    volatile unsigned u = 0x00f0; volatile unsigned long l = 1UL << 40; volatile unsigned long long ll = 0x8000000000000001ULL;
    printf("%d %d %d\n", __builtin_clz(u), __builtin_clzl(l), __builtin_clzll(ll)); printf("%d %d %d\n", __builtin_ctz(u), __builtin_ctzl(l), __builtin_ctzll(ll));
    printf("%d %d %d\n", __builtin_popcount(u), __builtin_popcountl(l), __builtin_popcountll(ll)); printf("%d %d %d %d\n", __builtin_ffs(0), __builtin_ffs(u), __builtin_ffsl(l), __builtin_ffsll(ll));
    printf("%d %d %d\n", __builtin_parity(u), __builtin_parityl(7), __builtin_parityll(ll)); printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x123456789abcdef0));
    printf("%d %d %d\n", __builtin_clrsb(-1), __builtin_clrsb(100), __builtin_clrsbll(1LL << 40));
    return 0;
}
