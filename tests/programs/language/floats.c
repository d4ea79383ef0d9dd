#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
    float f = 0.1f; double d = 0.1; long double ld = 0.5L;
    printf("%.9g %.17g %Lg\n", f, d, ld);
    printf("%d %d %d\n", f == d, f == 0.1f, (float)d == f);
    f += 1e8; d = f; printf("%.1f %.10e %G\n", f, d, 1e-10);
    printf("%d %u %ld %lld\n", (int)1e9, (unsigned)3e9, (long)-1e15, (long long)9e18);
    printf("%.3f %.3f %.3f\n", (double)(int)-1, (float)16777217, (double)~0ULL);
    double zero = 0, inf = 1 / zero, nan = inf - inf;
    printf("%f %f %d %d %d %d\n", inf, -inf, nan == nan, nan != nan, nan < 1, !(nan >= 1));
    printf("%g %g %g %g\n", sqrt(2), pow(2, 10), floor(-1.5), ceil(1.2));
    printf("%g %g %g %g\n", fabs(-3.5), fmod(7, 3), sin(0), exp(0));
    printf("%a %5.1f|%-8.2f|%+g|% g|%08.3f\n", 1.5, 2.25, 3.0, 4.0, 5.0, -6.5);
    printf("%d %d\n", DBL_DIG, FLT_MANT_DIG);
    int i = 7; i /= 2.0; d = i / 2; printf("%d %g %g\n", i, d, i / 2.0);
    f = 1.0f / 3; d = f * 3; printf("%.10f %d\n", d, 1.0f / 3 * 3 == 1);
    d = 5; d++; d--; --d; d *= d; d -= 0.5; printf("%g %d %d\n", d, !d, d && 1);
    if (d) printf("yes\n"); while (d > 1) d /= 2; printf("%g %s\n", d, d ? "t" : "f");
    unsigned char c = 3.7; c += 250.5; printf("%d\n", c);
    printf("%g %g\n", -0.0, 0.0 * -1);
    printf("%e %.0f %.0f %.0f\n", 0.0, 0.5, 1.5, 2.5);
    return 0;
}
