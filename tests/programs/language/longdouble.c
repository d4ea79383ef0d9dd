#include <stdio.h>
#include <float.h>
#include <math.h>
static long double g = 1.5L; int main(void) { long double x = 2.0L, y; y = x * g + 1; printf("%Lg %zu %d\n", y, sizeof x, (int)(y * 10)); long double a[2] = { 1, 2 }; a[1] /= 4; printf("%Lf %d\n", a[1], a[0] > a[1]); printf("%Lg %d\n", fabsl(-3.0L), (int)sizeof(1.0L)); union { long double l; unsigned char c[16]; } u = { 0 }; u.l = 1; printf("%g\n", (double)u.l); _Float128 q = 2; q = q * 3; printf("%d %zu\n", (int)q, sizeof q); __float128 r = q; r += 1; printf("%d\n", (int)r); _Float64 f64 = 1.5; _Float32 f32 = 2.5f; printf("%g %g\n", (double)f64, (double)f32); return 0; }
