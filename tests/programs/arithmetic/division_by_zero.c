// properties: division
// values: 0
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return 10 % x; //! division-by-zero
}
