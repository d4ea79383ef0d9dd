/* A finite number >= 0 in exact decimal form: d[0].d[1]d[2]... * 10^exponent, d[0] not 0 unless the
   number is. Digits past `count` are 0. */
struct __precis_decimal {
    int exponent;
    int count;
    char digits[792];
};

void __precis_to_decimal(struct __precis_decimal *to, double x);
/* Rounds to the first `keep` digits, ties to even. */
void __precis_round_decimal(struct __precis_decimal *d, int keep);
