/* Floating point to decimal digits, all of them. */
#include "decimal.h"
#include <stdint.h>

enum { WORDS = 88, BASE = 1000000000 };

/* A natural number, 9 decimal digits a word, lowest word first. */
struct natural {
    int count;
    uint32_t words[WORDS];
};

static void multiply(struct natural *n, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->words[i] * by;
        n->words[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    if (carry)
        n->words[n->count++] = (uint32_t)carry;
}

static void set(struct natural *n, uint64_t value)
{
    for (n->count = 0; value; value /= BASE)
        n->words[n->count++] = (uint32_t)(value % BASE);
}

/* Times 2^power, or times 5^-power if power is negative. */
static void scale(struct natural *n, int power)
{
    for (; power >= 24; power -= 24)
        multiply(n, (uint32_t)1 << 24);
    if (power > 0)
        multiply(n, (uint32_t)1 << power);
    for (; power <= -12; power += 12)
        multiply(n, 244140625);
    for (; power < 0; power++)
        multiply(n, 5);
}

static void write_digits(struct __precis_decimal *to, const struct natural *n)
{
    int count = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        for (uint32_t unit = BASE / 10; unit; unit /= 10) {
            uint32_t digit = n->words[i] / unit % 10;
            if (count || digit)
                to->digits[count++] = (char)('0' + digit);
        }
    }
    to->count = count;
}

/* x = m * 2^e; for e < 0 this is m * 5^-e * 10^e. */
void __precis_to_decimal(struct __precis_decimal *to, double x)
{
    union {
        double number;
        uint64_t bits;
    } view;
    struct natural n;
    view.number = x;
    uint64_t m = view.bits & (((uint64_t)1 << 52) - 1);
    int field = (int)(view.bits >> 52 & 2047);
    int e = field ? field - 1075 : -1074;
    if (field)
        m |= (uint64_t)1 << 52;
    if (m == 0) {
        to->exponent = to->count = 0;
        return;
    }
    for (; e < 0 && !(m & 1); e++)
        m >>= 1;
    set(&n, m);
    scale(&n, e);
    write_digits(to, &n);
    to->exponent = to->count - 1 + (e < 0 ? e : 0);
}

static int rounds_up(const struct __precis_decimal *d, int keep)
{
    char first = d->digits[keep];
    if (first != '5')
        return first > '5';
    for (int i = keep + 1; i < d->count; i++)
        if (d->digits[i] != '0')
            return 1;
    return keep > 0 && (d->digits[keep - 1] - '0') % 2 == 1;
}

void __precis_round_decimal(struct __precis_decimal *d, int keep)
{
    if (keep >= d->count)
        return;
    if (keep < 0) {
        d->count = d->exponent = 0;
        return;
    }
    int up = rounds_up(d, keep);
    d->count = keep;
    if (!up)
        return;
    while (d->count > 0 && d->digits[d->count - 1] == '9')
        d->count--;
    if (d->count > 0) {
        d->digits[d->count - 1]++;
    } else {
        d->digits[d->count++] = '1';
        d->exponent++;
    }
}
