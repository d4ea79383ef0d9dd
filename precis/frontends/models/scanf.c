/* The scanf family: one reader, all conversions of C17 but those to wide characters,
   which never match. */
#define _GNU_SOURCE 1
#include "stream.h"
#include <errno.h>
#include <limits.h>
#include <stdint.h>

/* Where characters come from; `next` is the one looked at but not taken, or NOTHING. */
enum { NOTHING = -2 };
struct source {
    FILE *stream;
    const char *text;
    int next;
    size_t taken;
};

static int peek(struct source *in)
{
    if (in->next == NOTHING) {
        if (in->stream)
            in->next = __precis_get(in->stream);
        else
            in->next = *in->text ? (unsigned char)*in->text++ : EOF;
    }
    return in->next;
}

static int take(struct source *in)
{
    int c = peek(in);
    in->next = NOTHING;
    in->taken++;
    return c;
}

static int is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct source *in)
{
    while (is_space(peek(in)))
        take(in);
}

enum size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_LONG_LONG, SIZE_POINTER, SIZE_LONG_DOUBLE };

struct spec {
    int ignored;
    int width;
    enum size size;
    char conversion;
};

enum result { MATCHED, MISMATCH, INPUT_ENDED };

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

struct arguments {
    va_list list;
};

static void store_integer(uintmax_t value, const struct spec *spec, struct arguments *args)
{
    if (spec->ignored)
        return;
    switch (spec->size) {
    case SIZE_CHAR: *va_arg(args->list, unsigned char *) = (unsigned char)value; break;
    case SIZE_SHORT: *va_arg(args->list, unsigned short *) = (unsigned short)value; break;
    case SIZE_LONG: *va_arg(args->list, unsigned long *) = (unsigned long)value; break;
    case SIZE_LONG_LONG: *va_arg(args->list, unsigned long long *) = value; break;
    case SIZE_POINTER: *va_arg(args->list, size_t *) = (size_t)value; break;
    default: *va_arg(args->list, unsigned *) = (unsigned)value; break;
    }
}

/* The digits of a number, at most `left` characters; 0 if there are none. */
static int read_digits(struct source *in, int left, int base, uintmax_t *value, int *too_large)
{
    int any = 0;
    for (; left > 0 && digit_value(peek(in)) < base; left--) {
        unsigned digit = (unsigned)digit_value(take(in));
        if (*value > (UINTMAX_MAX - digit) / (unsigned)base)
            *too_large = 1;
        else
            *value = *value * (unsigned)base + digit;
        any = 1;
    }
    return any;
}

/* A value out of the range of long (long long with ll or j) becomes the nearest in range, then is cut. */
static uintmax_t limited(uintmax_t value, int negative, int too_large, const struct spec *spec)
{
    int is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    uintmax_t max = spec->size == SIZE_LONG_LONG ? UINTMAX_MAX : ULONG_MAX;
    if (is_signed)
        max = max / 2 + (negative ? 1 : 0);
    if (too_large || value > max)
        return negative && is_signed ? (uintmax_t)0 - max : max;
    return negative ? (uintmax_t)0 - value : value;
}

static enum result read_integer(struct source *in, const struct spec *spec, int base, struct arguments *args)
{
    int left = spec->width, negative = 0, any = 0, too_large = 0;
    uintmax_t value = 0;
    skip_space(in);
    if (peek(in) == EOF)
        return INPUT_ENDED;
    if (peek(in) == '-' || peek(in) == '+') {
        negative = take(in) == '-';
        left--;
    }
    if ((base == 0 || base == 16) && left > 0 && peek(in) == '0') {
        take(in);
        left--;
        any = 1;
        if (left > 0 && (peek(in) == 'x' || peek(in) == 'X')) {
            take(in);
            left--;
            base = 16;
            any = 0;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (!read_digits(in, left, base ? base : 10, &value, &too_large) && !any)
        return MISMATCH;
    store_integer(limited(value, negative, too_large, spec), spec, args);
    return MATCHED;
}

/* The text of a floating point number, as far as it fits; digits past its end count as not there. */
struct number_text {
    char text[1200];
    int size;
    int left;
};

static int keep(struct source *in, struct number_text *n)
{
    int c = take(in);
    n->left--;
    if (n->size < (int)sizeof n->text - 8)
        n->text[n->size++] = (char)c;
    return c;
}

static int keep_digits(struct source *in, struct number_text *n, int base)
{
    int any = 0;
    for (; n->left > 0 && digit_value(peek(in)) < base; any = 1)
        keep(in, n);
    return any;
}

/* The rest of `word` in either case; 0 if the input differs. */
static int keep_word(struct source *in, struct number_text *n, const char *word)
{
    for (; *word; word++) {
        if (n->left <= 0 || (peek(in) | 32) != *word)
            return 0;
        keep(in, n);
    }
    return 1;
}

/* An exponent without digits is taken and means nothing, as in glibc. */
static void keep_exponent(struct source *in, struct number_text *n, char letter)
{
    if (n->left <= 0 || (peek(in) | 32) != letter)
        return;
    keep(in, n);
    if (n->left > 0 && (peek(in) == '-' || peek(in) == '+'))
        keep(in, n);
    keep_digits(in, n, 10);
}

static int keep_digits_and_exponent(struct source *in, struct number_text *n)
{
    int base = 10, any = 0;
    if (n->left > 0 && peek(in) == '0') {
        keep(in, n);
        any = 1;
        if (n->left > 0 && (peek(in) | 32) == 'x') {
            keep(in, n);
            base = 16;
            any = 0;
        }
    }
    any |= keep_digits(in, n, base);
    if (n->left > 0 && peek(in) == '.') {
        keep(in, n);
        any |= keep_digits(in, n, base);
    }
    if (any)
        keep_exponent(in, n, base == 16 ? 'p' : 'e');
    return any;
}

static int keep_number(struct source *in, struct number_text *n)
{
    if (n->left > 0 && (peek(in) == '-' || peek(in) == '+'))
        keep(in, n);
    if (n->left <= 0)
        return 0;
    if ((peek(in) | 32) == 'n')
        return keep_word(in, n, "nan");
    if ((peek(in) | 32) == 'i') {
        if (!keep_word(in, n, "inf"))
            return 0;
        return n->left <= 0 || (peek(in) | 32) != 'i' || keep_word(in, n, "inity");
    }
    return keep_digits_and_exponent(in, n);
}

double __precis_read_double(const char *text);
float __precis_read_float(const char *text);

static enum result read_float(struct source *in, const struct spec *spec, struct arguments *args)
{
    struct number_text n;
    n.size = 0;
    n.left = spec->width;
    skip_space(in);
    if (peek(in) == EOF)
        return INPUT_ENDED;
    if (!keep_number(in, &n))
        return MISMATCH;
    n.text[n.size] = 0;
    if (spec->ignored)
        return MATCHED;
    if (spec->size == SIZE_LONG_DOUBLE)
        *va_arg(args->list, long double *) = __precis_read_double(n.text);
    else if (spec->size == SIZE_LONG)
        *va_arg(args->list, double *) = __precis_read_double(n.text);
    else
        *va_arg(args->list, float *) = __precis_read_float(n.text);
    return MATCHED;
}

/* What %c, %s and %[ accept: a set from the format, or all but space, or all. */
struct set {
    unsigned char has[256];
};

static void fill_set(struct set *set, unsigned char with)
{
    for (int i = 0; i < 256; i++)
        set->has[i] = with;
}

/* Reads a scanset after its [; gives what follows its ]. */
static const char *read_set(const char *at, struct set *set)
{
    unsigned char in = *at != '^';
    const char *start;
    fill_set(set, !in);
    if (!in)
        at++;
    for (start = at; *at && (*at != ']' || at == start); at++) {
        unsigned first = (unsigned char)*at, last = first;
        if (at[1] == '-' && at[2] && at[2] != ']') {
            last = (unsigned char)at[2];
            at += 2;
        }
        for (; first <= last; first++)
            set->has[first] = in;
    }
    return *at ? at + 1 : at;
}

/* %c takes exactly `width` characters and no final 0; the others take one or more. */
static enum result read_chars(struct source *in, const struct spec *spec, const struct set *set,
                              struct arguments *args)
{
    char *to = spec->ignored ? NULL : va_arg(args->list, char *);
    int n = 0;
    for (; n < spec->width && peek(in) != EOF && set->has[peek(in)]; n++) {
        int c = take(in);
        if (to)
            to[n] = (char)c;
    }
    if (n == 0 || (spec->conversion == 'c' && n < spec->width))
        return n == 0 && peek(in) == EOF ? INPUT_ENDED : MISMATCH;
    if (to && spec->conversion != 'c')
        to[n] = 0;
    return MATCHED;
}

static const char *read_size(const char *at, enum size *size)
{
    *size = SIZE_INT;
    switch (*at) {
    case 'h':
        *size = at[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        return at + (at[1] == 'h' ? 2 : 1);
    case 'l':
        *size = at[1] == 'l' ? SIZE_LONG_LONG : SIZE_LONG;
        return at + (at[1] == 'l' ? 2 : 1);
    case 'j': *size = SIZE_LONG_LONG; return at + 1;
    case 'z':
    case 't': *size = SIZE_POINTER; return at + 1;
    case 'L': *size = SIZE_LONG_DOUBLE; return at + 1;
    default: return at;
    }
}

static const char *read_spec(const char *at, struct spec *spec)
{
    spec->ignored = *at == '*';
    if (spec->ignored)
        at++;
    spec->width = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        spec->width = spec->width * 10 + (*at - '0');
    at = read_size(at, &spec->size);
    spec->conversion = *at;
    if (spec->width == 0)
        spec->width = *at == 'c' ? 1 : INT_MAX;
    return *at ? at + 1 : at;
}

static enum result read_literal(struct source *in, char c)
{
    if (peek(in) == EOF)
        return INPUT_ENDED;
    if (peek(in) != (unsigned char)c)
        return MISMATCH;
    take(in);
    return MATCHED;
}

static enum result convert(struct source *in, struct spec *spec, const struct set *set,
                           struct arguments *args)
{
    switch (spec->conversion) {
    case 'd':
    case 'u': return read_integer(in, spec, 10, args);
    case 'i': return read_integer(in, spec, 0, args);
    case 'o': return read_integer(in, spec, 8, args);
    case 'p': spec->size = SIZE_POINTER; return read_integer(in, spec, 16, args);
    case 'x':
    case 'X': return read_integer(in, spec, 16, args);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return read_float(in, spec, args);
    case 's': skip_space(in); /* fall through */
    case 'c':
    case '[': return spec->size == SIZE_INT ? read_chars(in, spec, set, args) : MISMATCH;
    case 'n': store_integer(in->taken, spec, args); return MATCHED;
    case '%': skip_space(in); return read_literal(in, '%');
    default: return MISMATCH;
    }
}

static const char *accepted(const char *format, const struct spec *spec, struct set *set)
{
    if (spec->conversion == '[')
        return read_set(format, set);
    fill_set(set, 1);
    if (spec->conversion == 's')
        for (int c = 0; c < 256; c++)
            set->has[c] = !is_space(c);
    return format;
}

static int read_all(struct source *in, const char *format, struct arguments *args)
{
    int done = 0;
    while (*format) {
        enum result result = MATCHED;
        if (is_space((unsigned char)*format)) {
            skip_space(in);
            format++;
        } else if (*format != '%') {
            result = read_literal(in, *format++);
        } else {
            struct spec spec;
            struct set set;
            format = read_spec(format + 1, &spec);
            if (spec.conversion == 's' || spec.conversion == 'c' || spec.conversion == '[')
                format = accepted(format, &spec, &set);
            result = convert(in, &spec, &set, args);
            if (spec.conversion != 'n' && spec.conversion != '%')
                done += result == MATCHED && !spec.ignored;
        }
        if (result == INPUT_ENDED && done == 0)
            return EOF;
        if (result != MATCHED)
            break;
    }
    return done;
}

static int scan(FILE *stream, const char *text, const char *format, va_list list)
{
    struct source in = {stream, text, NOTHING, 0};
    struct arguments args;
    va_copy(args.list, list);
    int n = read_all(&in, format, &args);
    va_end(args.list);
    if (stream && in.next >= 0)
        stream->pushed = in.next;
    return n;
}

int vscanf(const char *restrict format, va_list args)
{
    return scan(stdin, NULL, format, args);
}

int vfscanf(FILE *restrict stream, const char *restrict format, va_list args)
{
    return scan(stream, NULL, format, args);
}

int vsscanf(const char *restrict text, const char *restrict format, va_list args)
{
    return scan(NULL, text, format, args);
}

int scanf(const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = scan(stdin, NULL, format, args);
    va_end(args);
    return n;
}

int fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = stream->closed ? EOF : scan(stream, NULL, format, args);
    va_end(args);
    return n;
}

int sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = scan(NULL, text, format, args);
    va_end(args);
    return n;
}

/* Names that glibc's headers give these functions. */
int __isoc99_scanf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = scan(stdin, NULL, format, args);
    va_end(args);
    return n;
}

int __isoc99_fscanf(FILE *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = stream->closed ? EOF : scan(stream, NULL, format, args);
    va_end(args);
    return n;
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = scan(NULL, text, format, args);
    va_end(args);
    return n;
}
