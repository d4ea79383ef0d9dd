/* Text to floating point, rounded correctly (to nearest, ties to even). long double has double's values. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A binary format: bits of the significand, exponent of the lowest and of the highest such bit. */
struct format {
    int bits;
    int lowest;
    int highest;
};
static const struct format of_double = {53, -1074, 971};
static const struct format of_float = {24, -149, 104};

/* Decimal digits beyond this many only matter as "not zero". */
enum { DIGITS = 800, WORDS = 160 };

/* A natural number, 32 bits a word, lowest word first; `count` words are in use. */
struct natural {
    int count;
    uint32_t words[WORDS];
};

static void multiply_add(struct natural *n, uint32_t by, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->words[i] * by;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->words[n->count++] = (uint32_t)carry;
}

static void times_power_of_ten(struct natural *n, int power)
{
    for (; power >= 9; power -= 9)
        multiply_add(n, 1000000000u, 0);
    for (; power > 0; power--)
        multiply_add(n, 10, 0);
}

static void shift_left(struct natural *n, int bits)
{
    int words = bits / 32;
    for (int i = n->count - 1; words > 0 && i >= 0; i--)
        n->words[i + words] = n->words[i];
    for (int i = 0; i < words; i++)
        n->words[i] = 0;
    n->count += words;
    if (bits % 32)
        multiply_add(n, (uint32_t)1 << bits % 32, 0);
}

static int bit_length(const struct natural *n)
{
    int bits = (n->count - 1) * 32;
    for (uint32_t top = n->words[n->count - 1]; top; top >>= 1)
        bits++;
    return bits;
}

static int at_least(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->words[i] != b->words[i])
            return a->words[i] > b->words[i];
    return 1;
}

/* a -= b, where a >= b. */
static void subtract(struct natural *a, const struct natural *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t take = (i < b->count ? b->words[i] : 0) + borrow;
        borrow = a->words[i] < take;
        a->words[i] = (uint32_t)(a->words[i] - take);
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        a->count--;
}

static double power_of_two(int exponent)
{
    double result = 1, factor = exponent < 0 ? 0.5 : 2;
    for (unsigned n = (unsigned)(exponent < 0 ? -exponent : exponent); n; n >>= 1) {
        if (n & 1)
            result *= factor;
        factor *= factor;
    }
    return result;
}

/* significand * 2^exponent (plus something smaller than its last bit if `more`), rounded. */
static double rounded(uint64_t significand, int exponent, int more, const struct format *f)
{
    int bits = 0, drop;
    for (uint64_t rest = significand; rest; rest >>= 1)
        bits++;
    if (bits == 0)
        return 0;
    drop = bits - f->bits;
    if (exponent + drop < f->lowest)
        drop = f->lowest - exponent;
    if (drop > 64) {
        significand = 0;
        more = 1;
        exponent = f->lowest;
    } else if (drop > 0) {
        uint64_t half = (uint64_t)1 << (drop - 1);
        uint64_t cut = drop == 64 ? significand : significand & (half * 2 - 1);
        significand = drop == 64 ? 0 : significand >> drop;
        if (cut > half || (cut == half && (more || (significand & 1))))
            significand++;
        more = more || cut;
        exponent += drop;
    }
    if (significand >> (f->bits - 1) == 0 && more)
        errno = ERANGE;
    for (; exponent > f->highest && significand >> (f->bits - 1) == 0; exponent--)
        significand <<= 1;
    if (exponent > f->highest || (exponent == f->highest && significand >> f->bits)) {
        errno = ERANGE;
        return HUGE_VAL;
    }
    if (exponent < -1000)
        return (double)significand * power_of_two(-1000) * power_of_two(exponent + 1000);
    return (double)significand * power_of_two(exponent);
}

/* above / below, rounded: 64 bits of the quotient by long division, the rest as "more". */
static double quotient(struct natural *above, struct natural *below, const struct format *f)
{
    int scale = bit_length(below) + 63 - bit_length(above);
    uint64_t result = 0;
    shift_left(above, scale > 0 ? scale : 0);
    shift_left(below, scale < 0 ? 63 - scale : 63);
    for (int i = 0; i < 64; i++) {
        int fits = at_least(above, below);
        if (fits)
            subtract(above, below);
        result = result << 1 | (uint64_t)fits;
        multiply_add(above, 2, 0);
    }
    return rounded(result, -scale, above->count > 0, f);
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Reads [eE][sign]digits (or with p) if it is there in full. */
static int read_exponent(const char **text, char letter)
{
    const char *at = *text;
    int negative = 0, value = 0;
    if ((*at | 32) != letter)
        return 0;
    at++;
    if (*at == '-' || *at == '+')
        negative = *at++ == '-';
    if (digit_value(*at) > 9)
        return 0;
    for (; digit_value(*at) <= 9; at++)
        if (value < 100000)
            value = value * 10 + digit_value(*at);
    *text = at;
    return negative ? -value : value;
}

static double read_hex(const char **text, const struct format *f)
{
    const char *at = *text;
    uint64_t value = 0;
    int exponent = 0, after_point = 0, more = 0;
    for (;; at++) {
        if (*at == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        int digit = digit_value(*at);
        if (digit > 15)
            break;
        if (value >> 60 == 0) {
            value = value << 4 | (uint64_t)digit;
            exponent -= after_point ? 4 : 0;
        } else {
            more = more || digit;
            exponent += after_point ? 0 : 4;
        }
    }
    exponent += read_exponent(&at, 'p');
    *text = at;
    return rounded(value, exponent, more, f);
}

/* Digits that were read: their value is digits * 10^exponent; `small` is the same if count <= 15. */
struct decimal {
    struct natural digits;
    uint64_t small;
    int count;
    int exponent;
};

static void add_digit(struct decimal *d, int digit, int after_point)
{
    if (d->count < DIGITS) {
        multiply_add(&d->digits, 10, (uint32_t)digit);
        d->small = d->small * 10 + (uint64_t)digit;
        d->count += d->digits.count > 0;
        d->exponent -= after_point;
    } else {
        if (digit)
            d->digits.words[0] |= 1;
        d->exponent += !after_point;
    }
}

static double decimal_value(struct decimal *d, const struct format *f)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct natural below;
    if (d->count == 0)
        return 0;
    if (f->bits == 53 && d->count <= 15 && d->exponent >= -22 && d->exponent <= 22)
        return d->exponent < 0 ? (double)d->small / powers[-d->exponent]
                               : (double)d->small * powers[d->exponent];
    if (d->count + d->exponent > 310 || d->count + d->exponent < -345) {
        errno = ERANGE;
        return d->count + d->exponent > 0 ? HUGE_VAL : 0;
    }
    below.count = 1;
    below.words[0] = 1;
    times_power_of_ten(&d->digits, d->exponent);
    times_power_of_ten(&below, -d->exponent);
    return quotient(&d->digits, &below, f);
}

static double read_decimal(const char **text, const struct format *f)
{
    const char *at = *text;
    struct decimal d;
    int after_point = 0;
    d.digits.count = d.count = d.exponent = 0;
    d.small = 0;
    for (;; at++) {
        if (*at == '.' && !after_point)
            after_point = 1;
        else if (digit_value(*at) <= 9)
            add_digit(&d, digit_value(*at), after_point);
        else
            break;
    }
    d.exponent += read_exponent(&at, 'e');
    *text = at;
    return decimal_value(&d, f);
}

/* Whether text starts with `word`, which is in lower case. */
static int starts(const char *text, const char *word)
{
    for (; *word; word++, text++)
        if ((*text | 32) != *word)
            return 0;
    return 1;
}

static const char *skip_nan_tag(const char *at)
{
    const char *tag = at;
    if (*tag != '(')
        return at;
    do
        tag++;
    while ((*tag >= '0' && *tag <= '9') || ((*tag | 32) >= 'a' && (*tag | 32) <= 'z') || *tag == '_');
    return *tag == ')' ? tag + 1 : at;
}

static int starts_number(const char *at, int base)
{
    return digit_value(*at) < base || (*at == '.' && digit_value(at[1]) < base);
}

static double read_float(const char *text, char **end, const struct format *f)
{
    const char *at = text;
    double value = 0;
    int negative = 0;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    if (*at == '-' || *at == '+')
        negative = *at++ == '-';
    if (starts(at, "inf")) {
        value = HUGE_VAL;
        at += starts(at, "infinity") ? 8 : 3;
    } else if (starts(at, "nan")) {
        value = NAN;
        at = skip_nan_tag(at + 3);
    } else if (at[0] == '0' && (at[1] | 32) == 'x' && starts_number(at + 2, 16)) {
        at += 2;
        value = read_hex(&at, f);
    } else if (starts_number(at, 10)) {
        value = read_decimal(&at, f);
    } else {
        at = text;
        negative = 0;
    }
    if (end)
        *end = (char *)at;
    return negative ? -value : value;
}

/* What scanf uses. */
double __precis_read_double(const char *text)
{
    return read_float(text, NULL, &of_double);
}

float __precis_read_float(const char *text)
{
    return (float)read_float(text, NULL, &of_float);
}

double strtod(const char *restrict text, char **restrict end)
{
    return read_float(text, end, &of_double);
}

float strtof(const char *restrict text, char **restrict end)
{
    return (float)read_float(text, end, &of_float);
}

long double strtold(const char *restrict text, char **restrict end)
{
    return read_float(text, end, &of_double);
}

double atof(const char *text)
{
    return read_float(text, NULL, &of_double);
}
