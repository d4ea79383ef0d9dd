// properties: uninitialised
// values: 0
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    return x; //! uninitialised-use
}
