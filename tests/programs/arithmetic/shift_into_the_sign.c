// properties: overflow
// values: 1
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x << 31; //! bad-shift
}
