// values: 1
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
    __VERIFIER_assume(__VERIFIER_nondet_int() == 2);
    reach_error();
    return 1;
}
