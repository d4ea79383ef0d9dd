#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *a = NULL, *b = NULL, *c = NULL;
    while (__VERIFIER_nondet_int()) {
        char *p = calloc(4, 1);
        if (!p) return 0;
        unsigned k = (unsigned)__VERIFIER_nondet_int() % 4;
        p[k] = 5;
        if (b && __VERIFIER_nondet_int()) b[0] = 1;
        if (c) assert(c[0] <= 1);
        c = b;
        b = a;
        a = p;
    }
    return 0;
}
