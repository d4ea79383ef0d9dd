#include <stdio.h>
#include <limits.h>
int main(void) {
    int r; unsigned u; long l; unsigned long ul; long long ll; char c; short s;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r)); printf("%d\n", r); printf("%d ", __builtin_sub_overflow(3, 5, &r)); printf("%d\n", r); printf("%d ", __builtin_sub_overflow(3, 5, &u)); printf("%u\n", u);
    printf("%d ", __builtin_mul_overflow(LONG_MAX, 2L, &l)); printf("%ld\n", l); printf("%d ", __builtin_mul_overflow(16, 8, &c)); printf("%d\n", c); printf("%d ", __builtin_add_overflow(100u, -200, &s)); printf("%d\n", s);
    printf("%d\n", __builtin_sadd_overflow(1, 2, &r)); printf("%d\n", __builtin_uaddl_overflow(ULONG_MAX, 1, &ul)); printf("%d ", __builtin_smulll_overflow(LLONG_MIN, -1, &ll)); printf("%lld\n", ll);
    printf("%d ", __builtin_mul_overflow(ULONG_MAX, ULONG_MAX, &ul)); printf("%lu\n", ul); printf("%d\n", __builtin_mul_overflow(-1, ULONG_MAX, &l));
    printf("%d ", __builtin_mul_overflow(ULONG_MAX, -1L, &l)); printf("%ld\n", l);
    printf("%d ", __builtin_usubl_overflow(1, 2, &ul)); printf("%lu\n", ul); if (__builtin_umul_overflow(1u << 31, 2, &u)) printf("%u\n", u);
    return 0;
}
