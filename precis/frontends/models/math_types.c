/* The float and long double forms of <math.h>, each through double. For a function whose result is exact,
   so is this one; a long double here has no more values than a double. */
#define _GNU_SOURCE 1
#include <math.h>

float acosf(float x) { return (float)acos((double)x); }
float asinf(float x) { return (float)asin((double)x); }
float atanf(float x) { return (float)atan((double)x); }
float cosf(float x) { return (float)cos((double)x); }
float sinf(float x) { return (float)sin((double)x); }
float tanf(float x) { return (float)tan((double)x); }
float acoshf(float x) { return (float)acosh((double)x); }
float asinhf(float x) { return (float)asinh((double)x); }
float atanhf(float x) { return (float)atanh((double)x); }
float coshf(float x) { return (float)cosh((double)x); }
float sinhf(float x) { return (float)sinh((double)x); }
float tanhf(float x) { return (float)tanh((double)x); }
float expf(float x) { return (float)exp((double)x); }
float exp2f(float x) { return (float)exp2((double)x); }
float expm1f(float x) { return (float)expm1((double)x); }
float logf(float x) { return (float)log((double)x); }
float log10f(float x) { return (float)log10((double)x); }
float log1pf(float x) { return (float)log1p((double)x); }
float log2f(float x) { return (float)log2((double)x); }
float logbf(float x) { return (float)logb((double)x); }
float cbrtf(float x) { return (float)cbrt((double)x); }
float fabsf(float x) { return (float)fabs((double)x); }
float sqrtf(float x) { return (float)sqrt((double)x); }
float erff(float x) { return (float)erf((double)x); }
float erfcf(float x) { return (float)erfc((double)x); }
float lgammaf(float x) { return (float)lgamma((double)x); }
float tgammaf(float x) { return (float)tgamma((double)x); }
float ceilf(float x) { return (float)ceil((double)x); }
float floorf(float x) { return (float)floor((double)x); }
float nearbyintf(float x) { return (float)nearbyint((double)x); }
float rintf(float x) { return (float)rint((double)x); }
float roundf(float x) { return (float)round((double)x); }
float truncf(float x) { return (float)trunc((double)x); }
float atan2f(float x, float y) { return (float)atan2((double)x, (double)y); }
float powf(float x, float y) { return (float)pow((double)x, (double)y); }
float hypotf(float x, float y) { return (float)hypot((double)x, (double)y); }
float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
float copysignf(float x, float y) { return (float)copysign((double)x, (double)y); }
float fdimf(float x, float y) { return (float)fdim((double)x, (double)y); }
float fmaxf(float x, float y) { return (float)fmax((double)x, (double)y); }
float fminf(float x, float y) { return (float)fmin((double)x, (double)y); }
float fmaf(float x, float y, float z) { return (float)fma((double)x, (double)y, (double)z); }
float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
float nanf(const char *tag) { return (float)nan(tag); }
float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
float ldexpf(float x, int exponent) { return (float)ldexp((double)x, exponent); }
float scalbnf(float x, int exponent) { return (float)scalbn((double)x, exponent); }
float scalblnf(float x, long exponent) { return (float)scalbln((double)x, exponent); }
int ilogbf(float x) { return ilogb((double)x); }
long lrintf(float x) { return lrint((double)x); }
long long llrintf(float x) { return llrint((double)x); }
long lroundf(float x) { return lround((double)x); }
long long llroundf(float x) { return llround((double)x); }

float modff(float x, float *whole)
{
    double part;
    double rest = modf((double)x, &part);
    *whole = (float)part;
    return (float)rest;
}

long double acosl(long double x) { return (long double)acos((double)x); }
long double asinl(long double x) { return (long double)asin((double)x); }
long double atanl(long double x) { return (long double)atan((double)x); }
long double cosl(long double x) { return (long double)cos((double)x); }
long double sinl(long double x) { return (long double)sin((double)x); }
long double tanl(long double x) { return (long double)tan((double)x); }
long double acoshl(long double x) { return (long double)acosh((double)x); }
long double asinhl(long double x) { return (long double)asinh((double)x); }
long double atanhl(long double x) { return (long double)atanh((double)x); }
long double coshl(long double x) { return (long double)cosh((double)x); }
long double sinhl(long double x) { return (long double)sinh((double)x); }
long double tanhl(long double x) { return (long double)tanh((double)x); }
long double expl(long double x) { return (long double)exp((double)x); }
long double exp2l(long double x) { return (long double)exp2((double)x); }
long double expm1l(long double x) { return (long double)expm1((double)x); }
long double logl(long double x) { return (long double)log((double)x); }
long double log10l(long double x) { return (long double)log10((double)x); }
long double log1pl(long double x) { return (long double)log1p((double)x); }
long double log2l(long double x) { return (long double)log2((double)x); }
long double logbl(long double x) { return (long double)logb((double)x); }
long double cbrtl(long double x) { return (long double)cbrt((double)x); }
long double fabsl(long double x) { return (long double)fabs((double)x); }
long double sqrtl(long double x) { return (long double)sqrt((double)x); }
long double erfl(long double x) { return (long double)erf((double)x); }
long double erfcl(long double x) { return (long double)erfc((double)x); }
long double lgammal(long double x) { return (long double)lgamma((double)x); }
long double tgammal(long double x) { return (long double)tgamma((double)x); }
long double ceill(long double x) { return (long double)ceil((double)x); }
long double floorl(long double x) { return (long double)floor((double)x); }
long double nearbyintl(long double x) { return (long double)nearbyint((double)x); }
long double rintl(long double x) { return (long double)rint((double)x); }
long double roundl(long double x) { return (long double)round((double)x); }
long double truncl(long double x) { return (long double)trunc((double)x); }
long double atan2l(long double x, long double y) { return (long double)atan2((double)x, (double)y); }
long double powl(long double x, long double y) { return (long double)pow((double)x, (double)y); }
long double hypotl(long double x, long double y) { return (long double)hypot((double)x, (double)y); }
long double fmodl(long double x, long double y) { return (long double)fmod((double)x, (double)y); }
long double remainderl(long double x, long double y)
{
    return (long double)remainder((double)x, (double)y);
}
long double copysignl(long double x, long double y) { return (long double)copysign((double)x, (double)y); }
long double fdiml(long double x, long double y) { return (long double)fdim((double)x, (double)y); }
long double fmaxl(long double x, long double y) { return (long double)fmax((double)x, (double)y); }
long double fminl(long double x, long double y) { return (long double)fmin((double)x, (double)y); }
long double fmal(long double x, long double y, long double z)
{
    return (long double)fma((double)x, (double)y, (double)z);
}
long double remquol(long double x, long double y, int *quotient)
{
    return (long double)remquo((double)x, (double)y, quotient);
}
long double nanl(const char *tag) { return (long double)nan(tag); }
long double frexpl(long double x, int *exponent) { return (long double)frexp((double)x, exponent); }
long double ldexpl(long double x, int exponent) { return (long double)ldexp((double)x, exponent); }
long double scalbnl(long double x, int exponent) { return (long double)scalbn((double)x, exponent); }
long double scalblnl(long double x, long exponent) { return (long double)scalbln((double)x, exponent); }
int ilogbl(long double x) { return ilogb((double)x); }
long lrintl(long double x) { return lrint((double)x); }
long long llrintl(long double x) { return llrint((double)x); }
long lroundl(long double x) { return lround((double)x); }
long long llroundl(long double x) { return llround((double)x); }

long double modfl(long double x, long double *whole)
{
    double part;
    double rest = modf((double)x, &part);
    *whole = (long double)part;
    return (long double)rest;
}
