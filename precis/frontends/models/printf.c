/* The printf family: one formatter, all conversions of C17. A long double is printed as a double. */
#define _GNU_SOURCE 1
#include "stream.h"
#include "printf.h"
#include <errno.h>
#include <limits.h>
#include <wchar.h>

/* Where the text goes: a stream, or at most `room` bytes from `to` (the last is the final 0). */
struct sink {
    FILE *stream;
    char *to;
    size_t room;
    size_t count;
    int failed;
};

void __precis_emit(struct sink *sink, const char *text, size_t n)
{
    if (sink->stream) {
        if (n > 0 && __precis_put(text, n, sink->stream))
            sink->failed = 1;
    } else {
        for (size_t i = 0; i < n && sink->count + i + 1 < sink->room; i++)
            sink->to[sink->count + i] = text[i];
    }
    sink->count += n;
}

void __precis_emit_many(struct sink *sink, char c, int n)
{
    for (; n > 0; n--)
        __precis_emit(sink, &c, 1);
}

void __precis_emit_head(struct sink *sink, const struct spec *spec, const char *prefix, int prefix_size,
                        int body)
{
    int pad = spec->width - prefix_size - body;
    if (!spec->left && !spec->zero)
        __precis_emit_many(sink, ' ', pad);
    __precis_emit(sink, prefix, (size_t)prefix_size);
    if (!spec->left && spec->zero)
        __precis_emit_many(sink, '0', pad);
}

void __precis_emit_tail(struct sink *sink, const struct spec *spec, int prefix_size, int body)
{
    if (spec->left)
        __precis_emit_many(sink, ' ', spec->width - prefix_size - body);
}

struct arguments {
    va_list list;
};

static intmax_t signed_argument(struct arguments *args, enum length length)
{
    switch (length) {
    case LENGTH_HH: return (signed char)va_arg(args->list, int);
    case LENGTH_H: return (short)va_arg(args->list, int);
    case LENGTH_L: return va_arg(args->list, long);
    case LENGTH_LL: return va_arg(args->list, long long);
    case LENGTH_J: return va_arg(args->list, intmax_t);
    case LENGTH_Z:
    case LENGTH_T: return va_arg(args->list, ptrdiff_t);
    default: return va_arg(args->list, int);
    }
}

static uintmax_t unsigned_argument(struct arguments *args, enum length length)
{
    switch (length) {
    case LENGTH_HH: return (unsigned char)va_arg(args->list, unsigned);
    case LENGTH_H: return (unsigned short)va_arg(args->list, unsigned);
    case LENGTH_L: return va_arg(args->list, unsigned long);
    case LENGTH_LL: return va_arg(args->list, unsigned long long);
    case LENGTH_J: return va_arg(args->list, uintmax_t);
    case LENGTH_Z:
    case LENGTH_T: return va_arg(args->list, size_t);
    default: return va_arg(args->list, unsigned);
    }
}

/* Digits go to the end of text; gives where they start. */
static char *write_digits(char *end, uintmax_t value, unsigned base, int upper)
{
    const char *figures = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    for (; value; value /= base)
        *--end = figures[value % base];
    return end;
}

static void put_integer(struct sink *sink, struct spec *spec, uintmax_t value, unsigned base,
                        const char *prefix, int prefix_size)
{
    char text[24];
    char *end = text + sizeof text;
    char *digits = write_digits(end, value, base, spec->conversion == 'X');
    int n = (int)(end - digits);
    int least = spec->precision < 0 ? 1 : spec->precision;
    if (spec->alternate && base == 8 && least <= n)
        least = n + 1;
    int zeros = least > n ? least - n : 0;
    if (spec->precision >= 0)
        spec->zero = 0;
    __precis_emit_head(sink, spec, prefix, prefix_size, zeros + n);
    __precis_emit_many(sink, '0', zeros);
    __precis_emit(sink, digits, (size_t)n);
    __precis_emit_tail(sink, spec, prefix_size, zeros + n);
}

static void put_signed(struct sink *sink, struct spec *spec, intmax_t value)
{
    uintmax_t magnitude = value < 0 ? (uintmax_t)0 - (uintmax_t)value : (uintmax_t)value;
    char sign = value < 0 ? '-' : spec->sign;
    put_integer(sink, spec, magnitude, 10, &sign, sign != 0);
}

static void put_unsigned(struct sink *sink, struct spec *spec, uintmax_t value)
{
    char c = spec->conversion;
    unsigned base = c == 'o' ? 8 : c == 'u' ? 10 : 16;
    int prefixed = spec->alternate && base == 16 && value != 0;
    put_integer(sink, spec, value, base, c == 'X' ? "0X" : "0x", prefixed ? 2 : 0);
}

/* Null is (nil), as in glibc; another pointer is its address in hexadecimal. */
static void put_pointer(struct sink *sink, struct spec *spec, const void *p)
{
    spec->conversion = 'x';
    if (p) {
        char prefix[3] = {'0', 'x', 0};
        int sign = spec->sign != 0;
        char with_sign[4] = {spec->sign, '0', 'x', 0};
        put_integer(sink, spec, (uintptr_t)p, 16, sign ? with_sign : prefix, 2 + sign);
        return;
    }
    spec->zero = 0;
    __precis_emit_head(sink, spec, "", 0, 5);
    __precis_emit(sink, "(nil)", 5);
    __precis_emit_tail(sink, spec, 0, 5);
}

static void put_text(struct sink *sink, struct spec *spec, const char *text, size_t n)
{
    spec->zero = 0;
    __precis_emit_head(sink, spec, "", 0, (int)n);
    __precis_emit(sink, text, n);
    __precis_emit_tail(sink, spec, 0, (int)n);
}

/* Reads no further than the precision, if there is one. */
static void put_string(struct sink *sink, struct spec *spec, const char *text)
{
    size_t n = 0;
    while ((spec->precision < 0 || n < (size_t)spec->precision) && text[n])
        n++;
    put_text(sink, spec, text, n);
}

/* In the "C" locale a wide character beyond ASCII has no bytes. */
static void put_wide_string(struct sink *sink, struct spec *spec, const wchar_t *text)
{
    size_t n = 0;
    for (; (spec->precision < 0 || n < (size_t)spec->precision) && text[n]; n++)
        if (text[n] < 0 || text[n] > 127)
            sink->failed = 1;
    if (sink->failed)
        return;
    spec->zero = 0;
    __precis_emit_head(sink, spec, "", 0, (int)n);
    for (size_t i = 0; i < n; i++)
        __precis_emit_many(sink, (char)text[i], 1);
    __precis_emit_tail(sink, spec, 0, (int)n);
}

static void put_char(struct sink *sink, struct spec *spec, struct arguments *args)
{
    unsigned value = spec->length == LENGTH_L ? va_arg(args->list, wint_t)
                                              : (unsigned)va_arg(args->list, int);
    char c = (char)value;
    if (spec->length == LENGTH_L && value > 127)
        sink->failed = 1;
    else
        put_text(sink, spec, &c, 1);
}

static void store_count(struct sink *sink, enum length length, struct arguments *args)
{
    size_t n = sink->count;
    switch (length) {
    case LENGTH_HH: *va_arg(args->list, signed char *) = (signed char)n; break;
    case LENGTH_H: *va_arg(args->list, short *) = (short)n; break;
    case LENGTH_L: *va_arg(args->list, long *) = (long)n; break;
    case LENGTH_LL: *va_arg(args->list, long long *) = (long long)n; break;
    case LENGTH_J: *va_arg(args->list, intmax_t *) = (intmax_t)n; break;
    case LENGTH_Z: *va_arg(args->list, size_t *) = n; break;
    case LENGTH_T: *va_arg(args->list, ptrdiff_t *) = (ptrdiff_t)n; break;
    default: *va_arg(args->list, int *) = (int)n; break;
    }
}

static const char *read_flags(const char *at, struct spec *spec)
{
    for (;; at++) {
        switch (*at) {
        case '-': spec->left = 1; break;
        case '0': spec->zero = 1; break;
        case '#': spec->alternate = 1; break;
        case '+': spec->sign = '+'; break;
        case ' ': spec->sign = spec->sign ? spec->sign : ' '; break;
        case '\'': break;
        default: return at;
        }
    }
}

static const char *read_count(const char *at, int *count, struct arguments *args)
{
    *count = 0;
    if (*at == '*') {
        *count = va_arg(args->list, int);
        return at + 1;
    }
    for (; *at >= '0' && *at <= '9'; at++)
        *count = *count * 10 + (*at - '0');
    return at;
}

static const char *read_length(const char *at, enum length *length)
{
    switch (*at) {
    case 'h': *length = at[1] == 'h' ? LENGTH_HH : LENGTH_H; break;
    case 'l': *length = at[1] == 'l' ? LENGTH_LL : LENGTH_L; break;
    case 'j': *length = LENGTH_J; break;
    case 'z': *length = LENGTH_Z; break;
    case 't': *length = LENGTH_T; break;
    case 'L': *length = LENGTH_LONG_DOUBLE; break;
    default: *length = LENGTH_NONE; return at;
    }
    return at + (*length == LENGTH_HH || *length == LENGTH_LL ? 2 : 1);
}

/* From after the % up to and with the conversion character. */
static const char *read_spec(const char *at, struct spec *spec, struct arguments *args)
{
    spec->left = spec->zero = spec->alternate = 0;
    spec->sign = 0;
    spec->precision = -1;
    at = read_flags(at, spec);
    at = read_count(at, &spec->width, args);
    if (spec->width < 0) {
        spec->left = 1;
        spec->width = -spec->width;
    }
    if (*at == '.') {
        at = read_count(at + 1, &spec->precision, args);
        if (spec->precision < 0)
            spec->precision = -1;
    }
    at = read_length(at, &spec->length);
    spec->conversion = *at;
    return *at ? at + 1 : at;
}

/* 0 if the conversion is not one of C17. */
static int convert(struct sink *sink, struct spec *spec, struct arguments *args)
{
    switch (spec->conversion) {
    case 'd':
    case 'i': put_signed(sink, spec, signed_argument(args, spec->length)); return 1;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_unsigned(sink, spec, unsigned_argument(args, spec->length)); return 1;
    case 'c': put_char(sink, spec, args); return 1;
    case 's':
        if (spec->length == LENGTH_L)
            put_wide_string(sink, spec, va_arg(args->list, wchar_t *));
        else
            put_string(sink, spec, va_arg(args->list, char *));
        return 1;
    case 'p': put_pointer(sink, spec, va_arg(args->list, void *)); return 1;
    case 'n': store_count(sink, spec->length, args); return 1;
    case '%': __precis_emit(sink, "%", 1); return 1;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        __precis_emit_float(sink, spec, spec->length == LENGTH_LONG_DOUBLE
                                            ? (double)va_arg(args->list, long double)
                                            : va_arg(args->list, double));
        return 1;
    default: return 0;
    }
}

static void format_all(struct sink *sink, const char *format, struct arguments *args)
{
    while (*format && !sink->failed) {
        const char *start = format;
        struct spec spec;
        while (*format && *format != '%')
            format++;
        __precis_emit(sink, start, (size_t)(format - start));
        if (!*format)
            return;
        start = format;
        format = read_spec(format + 1, &spec, args);
        if (!convert(sink, &spec, args))
            __precis_emit(sink, start, (size_t)(format - start));
    }
}

static int format_to(struct sink *sink, const char *format, va_list list)
{
    struct arguments args;
    va_copy(args.list, list);
    format_all(sink, format, &args);
    va_end(args.list);
    if (!sink->failed && sink->count > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return sink->failed ? -1 : (int)sink->count;
}

int __precis_format_stream(FILE *stream, const char *format, va_list args)
{
    struct sink sink = {stream, NULL, 0, 0, 0};
    if (stream->closed) {
        errno = EBADF;
        return -1;
    }
    return format_to(&sink, format, args);
}

int __precis_format_text(char *to, size_t room, const char *format, va_list args)
{
    struct sink sink = {NULL, to, room, 0, 0};
    int n = format_to(&sink, format, args);
    if (room > 0)
        to[sink.count < room ? sink.count : room - 1] = 0;
    return n;
}
