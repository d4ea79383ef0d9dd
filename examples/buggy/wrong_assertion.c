/* Holds for most inputs; the referee finds the others by seed or by --values 0,7. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int max = a > b ? a : a;
    assert(max >= b);
    return 0;
}
