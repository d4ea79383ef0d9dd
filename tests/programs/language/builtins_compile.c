#include <stdio.h>
#include <math.h>
int f(int n) { switch (n) { case 1: return 10; default: __builtin_unreachable(); } }
int main(void) {
    int x = 5; printf("%d %d %d\n", __builtin_constant_p(5), __builtin_constant_p("s"), !!__builtin_expect(x == 5, 1)); printf("%d\n", f(1));
    printf("%d %s\n", __builtin_choose_expr(1, 3, "no"), __builtin_choose_expr(sizeof(int) == 4, "four", 4)); printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long));
    printf("%d\n", __builtin_types_compatible_p(typeof(x), int)); __builtin_prefetch(&x); __builtin_prefetch(&x, 1, 3); int *p = __builtin_assume_aligned(&x, 4); printf("%d\n", *p);
    printf("%g %g %g %d\n", __builtin_inf(), __builtin_huge_val(), (double)__builtin_huge_valf(), __builtin_isnan(__builtin_nan(""))); double z = 0.0, n = z / z; printf("%d %d %d %d %d %d\n", __builtin_isnan(n), __builtin_isinf(1 / z), __builtin_isfinite(1.0), __builtin_isinf_sign(-1 / z), !!__builtin_signbit(-z), __builtin_isnormal(1.0));
    printf("%d %d %d\n", __builtin_isgreater(1.0, n), __builtin_isless(1.0, 2.0), __builtin_isunordered(1.0, n)); printf("%d %d\n", __builtin_fpclassify(0, 1, 2, 3, 4, 1.0), __builtin_fpclassify(0, 1, 2, 3, 4, 0.0));
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(16.0), __builtin_floor(2.7)); printf("%g %g\n", __builtin_copysign(3.0, -1.0), __builtin_fmax(1.0, 2.0)); printf("%g\n", (double)__builtin_fabsf(-1.5f));
    printf("%zu %zu\n", __builtin_object_size(p, 2), sizeof(__builtin_object_size(p, 0))); if (x == 6) __builtin_trap(); printf("%d\n", __builtin_classify_type(1.0) == 8);
    printf("%s %d %s\n", __builtin_FUNCTION(), __builtin_LINE() > 0, __func__); printf("%d\n", (int)__builtin_expect_with_probability(x, 5, .9)); return 0;
}
