extern int __VERIFIER_nondet_int(void);
static int table[64];
static struct { char tag; int sum; double mean; } total;
int main(void) {
    unsigned n = (unsigned)__VERIFIER_nondet_int() % 65;
    for (unsigned i = 0; i < n; i++) table[i] = (int)i * 3 - 7;
    int low = 0, high = 0;
    for (unsigned i = 0; i < 64; i++) {
        if (table[i] < low) low = table[i];
        if (table[i] > high) { high = table[i]; total.mean = high; total.tag++; }
        total.sum += table[i];
    }
    int left = total.sum;
    while (left > 10) left -= 10;
    return low + high + left;
}
