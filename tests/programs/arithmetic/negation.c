// properties: overflow
// values: -9223372036854775808
extern long __VERIFIER_nondet_long(void);
int main(void) {
    long x = __VERIFIER_nondet_long();
    return -x > 0; //! signed-overflow
}
