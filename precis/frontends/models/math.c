/* The part of <math.h> whose results are exact, so that C can give them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

/* From here on every double is a whole number. */
#define WHOLE 4503599627370496.0

static uint64_t bits_of(double x)
{
    union {
        double number;
        uint64_t bits;
    } view;
    view.number = x;
    return view.bits;
}

static double of_bits(uint64_t bits)
{
    union {
        double number;
        uint64_t bits;
    } view;
    view.bits = bits;
    return view.number;
}

static double magnitude(double x)
{
    return of_bits(bits_of(x) & ~((uint64_t)1 << 63));
}

static double with_sign(double x, double sign)
{
    uint64_t top = (uint64_t)1 << 63;
    return of_bits((bits_of(x) & ~top) | (bits_of(sign) & top));
}

int __isnan(double x) { return x != x; }
int __isinf(double x) { return x == HUGE_VAL ? 1 : x == -HUGE_VAL ? -1 : 0; }
int __finite(double x) { return (bits_of(x) >> 52 & 2047) != 2047; }
int finite(double x) { return (bits_of(x) >> 52 & 2047) != 2047; }
int __signbit(double x) { return (int)(bits_of(x) >> 63); }

int __fpclassify(double x)
{
    uint64_t bits = bits_of(x) << 1;
    if (bits >> 53 == 2047)
        return bits << 11 ? FP_NAN : FP_INFINITE;
    if (bits >> 53)
        return FP_NORMAL;
    return bits ? FP_SUBNORMAL : FP_ZERO;
}

int __fpclassifyf(float x)
{
    int kind = __fpclassify(x);
    return kind == FP_NORMAL && magnitude(x) < 1.17549435082228750797e-38 ? FP_SUBNORMAL : kind;
}

double fabs(double x) { return magnitude(x); }
double copysign(double x, double y) { return with_sign(x, y); }
double fmax(double x, double y) { return y != y || x > y ? x : y; }
double fmin(double x, double y) { return y != y || x < y ? x : y; }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
double nan(const char *tag) { return *tag ? NAN : NAN; }

double trunc(double x)
{
    if (!(magnitude(x) < WHOLE))
        return x;
    return with_sign((double)(long long)x, x);
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    return whole < x ? with_sign(whole + 1, x) : whole;
}

double round(double x)
{
    double whole = trunc(x);
    return magnitude(x - whole) >= 0.5 ? whole + with_sign(1, x) : whole;
}

/* To nearest, ties to even: the one rounding mode there is. */
double rint(double x)
{
    double whole = trunc(x), rest;
    if (!(magnitude(x) < WHOLE))
        return x;
    rest = magnitude(x - whole);
    if (rest > 0.5 || (rest == 0.5 && (long long)whole % 2 != 0))
        return whole + with_sign(1, x);
    return whole;
}

double nearbyint(double x) { return rint(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }

double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (__isinf(x))
        return with_sign(0, x);
    return with_sign(x - *whole, x);
}

/* Subtracts doubled divisors; every step is exact. */
double fmod(double x, double y)
{
    double rest = magnitude(x), by = magnitude(y);
    if (x != x || y != y)
        return x + y;
    if (by == 0 || !__finite(x)) {
        errno = EDOM;
        return NAN;
    }
    if (!__finite(y))
        return x;
    double part = by;
    while (part <= rest / 2)
        part *= 2;
    for (; part >= by; part /= 2) {
        if (rest >= part)
            rest -= part;
        if (part == by)
            break;
    }
    return with_sign(rest, x);
}

/* x = fraction * 2^exponent with the fraction in [0.5, 1). */
double frexp(double x, int *exponent)
{
    int field = (int)(bits_of(x) >> 52 & 2047);
    *exponent = 0;
    if (x == 0 || field == 2047)
        return x;
    if (field == 0) {
        double fraction = frexp(x * 18014398509481984.0, exponent);
        *exponent -= 54;
        return fraction;
    }
    *exponent = field - 1022;
    return of_bits((bits_of(x) & ~((uint64_t)2047 << 52)) | (uint64_t)1022 << 52);
}

/* 2^n for n in -1022..1023. */
static double power_of_two(int n)
{
    return of_bits((uint64_t)(n + 1023) << 52);
}

static double scaled(double x, long by)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    if (x == 0 || !__finite(x))
        return x;
    long sum = by > 5000 ? 5000 : by < -5000 ? -5000 : by;
    sum += exponent;
    if (sum > 1024) {
        errno = ERANGE;
        return with_sign(HUGE_VAL, x);
    }
    if (sum >= -1021)
        return fraction * 2 * power_of_two((int)sum - 1);
    if (sum < -1080)
        sum = -1080;
    double result = fraction * power_of_two(-1021) * power_of_two((int)sum + 1021);
    if (result == 0)
        errno = ERANGE;
    return result;
}

double ldexp(double x, int exponent) { return scaled(x, exponent); }
double scalbn(double x, int exponent) { return scaled(x, exponent); }
double scalbln(double x, long exponent) { return scaled(x, exponent); }

int ilogb(double x)
{
    int exponent;
    if (x == 0 || x != x)
        return x == 0 ? FP_ILOGB0 : FP_ILOGBNAN;
    if (!__finite(x))
        return INT_MAX;
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x)
{
    if (x == 0)
        return -HUGE_VAL;
    return __finite(x) ? ilogb(x) : x * x;
}

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return with_sign(of_bits(1), y);
    return of_bits(bits_of(x) + ((x < y) == (x > 0) ? 1 : (uint64_t)-1));
}

float nextafterf(float x, float y)
{
    union {
        float number;
        uint32_t bits;
    } view;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    view.number = x;
    if (x == 0)
        view.bits = y < 0 ? 0x80000001u : 1;
    else
        view.bits += (x < y) == (x > 0) ? 1 : (uint32_t)-1;
    return view.number;
}

long double nextafterl(long double x, long double y) { return nextafter((double)x, (double)y); }
