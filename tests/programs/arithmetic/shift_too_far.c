// properties: overflow
// values: 32
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned one = 1;
    return one << __VERIFIER_nondet_int() == 0; //! bad-shift
}
