// values: 2147483647
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x + 1 < 0 ? 0 : 1;
}
