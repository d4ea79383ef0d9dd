// values: 5
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 5)
        reach_error(); //! reachable-error
    return 0;
}
