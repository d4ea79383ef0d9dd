/* Allocation and free under the same condition, tested twice. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int *p = NULL;
    if (a > b) {
        p = malloc(sizeof *p);
        if (!p)
            return 1;
    }
    if (a > b) {
        *p = a;
        free(p);
    }
    return 0;
}
