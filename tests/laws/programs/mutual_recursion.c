extern unsigned char __VERIFIER_nondet_uchar(void);
static int depth;
static int odd(unsigned n);
static int even(unsigned n) { depth++; return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { int *p = &depth; *p += 1; return n == 0 ? 0 : even(n - 1); }
static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() % 9;
    int e = even(n);
    if (e == (int)(n % 2)) depth = 100;
    return (int)ackermann(2, n % 3) + depth;
}
