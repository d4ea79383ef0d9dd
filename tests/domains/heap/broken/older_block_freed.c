#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *a = NULL, *b = NULL, *c = NULL;
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(sizeof *p);
        if (!p) return 0;
        if (b && __VERIFIER_nondet_int()) free(b);
        if (c) *c = 1;
        c = b;
        b = a;
        a = p;
    }
    return 0;
}
