// values: 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 2);
    assert(x != 3); //! assertion
    return 0;
}
