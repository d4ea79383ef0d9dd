/* Text to integers. A value out of range becomes the nearest one in range, with errno = ERANGE. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

struct number {
    unsigned long long magnitude;
    int negative;
    int too_large;
    int bad_base;
};

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Where the digits start, after an optional 0x that a digit follows; settles base 0. */
static const char *skip_prefix(const char *at, int *base)
{
    if ((*base == 0 || *base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')
        && digit_value(at[2]) < 16) {
        *base = 16;
        return at + 2;
    }
    if (*base == 0)
        *base = *at == '0' ? 8 : 10;
    return at;
}

/* Reads [space][sign][prefix]digits; *end is `text` if there are no digits. */
static struct number read_number(const char *text, char **end, int base)
{
    struct number result = {0, 0, 0, 0};
    const char *at = text;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        result.bad_base = 1;
        return result;
    }
    while (is_space(*at))
        at++;
    if (*at == '-' || *at == '+')
        result.negative = *at++ == '-';
    at = skip_prefix(at, &base);
    const char *digits = at;
    for (; digit_value(*at) < base; at++) {
        unsigned digit = (unsigned)digit_value(*at);
        if (result.magnitude > (ULLONG_MAX - digit) / (unsigned)base)
            result.too_large = 1;
        else
            result.magnitude = result.magnitude * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(at == digits ? text : at);
    return result;
}

static long long read_signed(const char *text, char **end, int base, long long max)
{
    struct number n = read_number(text, end, base);
    unsigned long long limit = (unsigned long long)max + (n.negative ? 1 : 0);
    if (n.bad_base)
        return 0;
    if (n.too_large || n.magnitude > limit) {
        errno = ERANGE;
        return n.negative ? -max - 1 : max;
    }
    if (n.negative)
        return n.magnitude == limit ? -max - 1 : -(long long)n.magnitude;
    return (long long)n.magnitude;
}

static unsigned long long read_unsigned(const char *text, char **end, int base, unsigned long long max)
{
    struct number n = read_number(text, end, base);
    if (n.bad_base)
        return 0;
    if (n.too_large || n.magnitude > max) {
        errno = ERANGE;
        return max;
    }
    return n.negative ? 0ULL - n.magnitude : n.magnitude;
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    return (long)read_signed(text, end, base, LONG_MAX);
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    return read_signed(text, end, base, LLONG_MAX);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base)
{
    return read_signed(text, end, base, LLONG_MAX);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    return (unsigned long)read_unsigned(text, end, base, ULONG_MAX);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    return read_unsigned(text, end, base, ULLONG_MAX);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base)
{
    return read_unsigned(text, end, base, ULLONG_MAX);
}

/* atoi and its like are strtol's answers cut to their type. */
int atoi(const char *text)
{
    return (int)read_signed(text, NULL, 10, LONG_MAX);
}

long atol(const char *text)
{
    return (long)read_signed(text, NULL, 10, LONG_MAX);
}

long long atoll(const char *text)
{
    return read_signed(text, NULL, 10, LLONG_MAX);
}

/* Names that glibc's headers give these functions under newer language standards. */
long __isoc23_strtol(const char *text, char **end, int base)
{
    return (long)read_signed(text, end, base, LONG_MAX);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return (unsigned long)read_unsigned(text, end, base, ULONG_MAX);
}
