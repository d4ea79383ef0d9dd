/* The floating point conversions of printf, exact to the last digit. */
#include "printf.h"
#include "decimal.h"

static uint64_t bits_of(double x)
{
    union {
        double number;
        uint64_t bits;
    } view;
    view.number = x;
    return view.bits;
}

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Digits from..from+n-1 of d, where places before the first digit and after the last hold 0. */
static void emit_digits(struct sink *sink, const struct __precis_decimal *d, int from, int n)
{
    int before = from < 0 ? (-from < n ? -from : n) : 0;
    __precis_emit_many(sink, '0', before);
    from += before;
    n -= before;
    int there = d->count - from;
    if (there > n)
        there = n;
    if (there > 0) {
        __precis_emit(sink, d->digits + from, (size_t)there);
        n -= there;
    }
    __precis_emit_many(sink, '0', n);
}

static void emit_fixed(struct sink *sink, const struct spec *spec, const struct __precis_decimal *d,
                       int precision, const char *sign, int sign_size)
{
    int point = precision > 0 || spec->alternate;
    int whole = d->exponent < 0 || d->count == 0 ? 1 : d->exponent + 1;
    int exponent = d->count == 0 ? 0 : d->exponent;
    int size = whole + point + precision;
    __precis_emit_head(sink, spec, sign, sign_size, size);
    emit_digits(sink, d, exponent - whole + 1, whole);
    __precis_emit(sink, ".", (size_t)point);
    emit_digits(sink, d, exponent + 1, precision);
    __precis_emit_tail(sink, spec, sign_size, size);
}

/* Writes letter, sign and at least `least` digits; gives the size. */
static int write_exponent(char *to, char letter, int exponent, int least)
{
    char digits[8];
    int n = 0, size = 2;
    unsigned rest = (unsigned)(exponent < 0 ? -exponent : exponent);
    to[0] = letter;
    to[1] = exponent < 0 ? '-' : '+';
    while (rest || n < least) {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    }
    while (n > 0)
        to[size++] = digits[--n];
    return size;
}

static void emit_scientific(struct sink *sink, const struct spec *spec, const struct __precis_decimal *d,
                            int precision, const char *sign, int sign_size)
{
    char tail[12];
    char letter = is_upper(spec->conversion) ? 'E' : 'e';
    int tail_size = write_exponent(tail, letter, d->count ? d->exponent : 0, 2);
    int point = precision > 0 || spec->alternate;
    int size = 1 + point + precision + tail_size;
    __precis_emit_head(sink, spec, sign, sign_size, size);
    emit_digits(sink, d, 0, 1);
    __precis_emit(sink, ".", (size_t)point);
    emit_digits(sink, d, 1, precision);
    __precis_emit(sink, tail, (size_t)tail_size);
    __precis_emit_tail(sink, spec, sign_size, size);
}

/* %g: the shorter of the two styles, without trailing zeros unless # asks for them. */
static void emit_general(struct sink *sink, const struct spec *spec, struct __precis_decimal *d,
                         int precision, const char *sign, int sign_size)
{
    if (precision == 0)
        precision = 1;
    __precis_round_decimal(d, precision);
    int exponent = d->count ? d->exponent : 0;
    int kept = d->count;
    while (kept > 0 && d->digits[kept - 1] == '0')
        kept--;
    if (spec->alternate)
        kept = precision;
    if (exponent >= -4 && exponent < precision) {
        int places = kept - 1 - exponent;
        emit_fixed(sink, spec, d, places > 0 ? places : 0, sign, sign_size);
    } else {
        emit_scientific(sink, spec, d, kept > 1 ? kept - 1 : 0, sign, sign_size);
    }
}

/* A significand of 53 bits, kept to `places` hexadecimal digits after the point, ties to even. */
static uint64_t round_hex(uint64_t m, int places)
{
    int drop = 4 * (13 - places);
    uint64_t half = (uint64_t)1 << (drop - 1), cut = m & (half * 2 - 1);
    m >>= drop;
    if (cut > half || (cut == half && (m & 1)))
        m++;
    return m << drop;
}

static void emit_hex(struct sink *sink, const struct spec *spec, double x, const char *sign, int sign_size)
{
    const char *figures = spec->conversion == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
    uint64_t m = bits_of(x) & (((uint64_t)1 << 52) - 1);
    int field = (int)(bits_of(x) >> 52 & 2047);
    int exponent = field ? field - 1023 : m ? -1022 : 0;
    int places = spec->precision;
    char prefix[4], tail[12];
    if (field)
        m |= (uint64_t)1 << 52;
    if (places < 0)
        for (places = 13; places > 0 && (m >> (4 * (13 - places)) & 15) == 0;)
            places--;
    else if (places < 13)
        m = round_hex(m, places);
    int point = places > 0 || spec->alternate;
    int tail_size = write_exponent(tail, spec->conversion == 'A' ? 'P' : 'p', exponent, 1);
    int size = 1 + point + places + tail_size;
    for (int i = 0; i < sign_size; i++)
        prefix[i] = sign[i];
    prefix[sign_size] = '0';
    prefix[sign_size + 1] = spec->conversion == 'A' ? 'X' : 'x';
    __precis_emit_head(sink, spec, prefix, sign_size + 2, size);
    __precis_emit(sink, figures + (m >> 52), 1);
    __precis_emit(sink, ".", (size_t)point);
    for (int i = 0; i < places && i < 13; i++)
        __precis_emit(sink, figures + (m >> (48 - 4 * i) & 15), 1);
    __precis_emit_many(sink, '0', places - 13);
    __precis_emit(sink, tail, (size_t)tail_size);
    __precis_emit_tail(sink, spec, sign_size + 2, size);
}

static void emit_special(struct sink *sink, struct spec *spec, double x, const char *sign, int sign_size)
{
    const char *text = x != x ? (is_upper(spec->conversion) ? "NAN" : "nan")
                              : (is_upper(spec->conversion) ? "INF" : "inf");
    spec->zero = 0;
    __precis_emit_head(sink, spec, sign, sign_size, 3);
    __precis_emit(sink, text, 3);
    __precis_emit_tail(sink, spec, sign_size, 3);
}

void __precis_emit_float(struct sink *sink, struct spec *spec, double x)
{
    struct __precis_decimal d;
    char sign = bits_of(x) >> 63 ? '-' : spec->sign;
    int sign_size = sign != 0;
    int precision = spec->precision < 0 ? 6 : spec->precision;
    char style = (char)(spec->conversion | 32);
    if ((bits_of(x) >> 52 & 2047) == 2047) {
        emit_special(sink, spec, x, &sign, sign_size);
        return;
    }
    if (style == 'a') {
        emit_hex(sink, spec, x, &sign, sign_size);
        return;
    }
    __precis_to_decimal(&d, x);
    if (style == 'g') {
        emit_general(sink, spec, &d, precision, &sign, sign_size);
    } else if (style == 'e') {
        __precis_round_decimal(&d, 1 + precision);
        emit_scientific(sink, spec, &d, precision, &sign, sign_size);
    } else {
        __precis_round_decimal(&d, d.exponent + 1 + precision);
        emit_fixed(sink, spec, &d, precision, &sign, sign_size);
    }
}
