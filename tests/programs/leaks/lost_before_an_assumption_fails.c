// properties: leaks
// values: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int n = __VERIFIER_nondet_int();
    char *p = malloc(1);
    p = NULL; //! memory-leak
    __VERIFIER_assume(n != 1);
    return p != NULL;
}
