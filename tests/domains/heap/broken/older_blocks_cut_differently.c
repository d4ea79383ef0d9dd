#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct n { int a, b; };
int main(void) {
    struct n *a = NULL, *b = NULL, *c = NULL;
    while (__VERIFIER_nondet_int()) {
        struct n *p = calloc(1, sizeof *p);
        if (!p) return 0;
        *(long *)p = -1;
        if (b && __VERIFIER_nondet_int()) b->a = 0;
        if (c) assert(c->a >= 0);
        c = b;
        b = a;
        a = p;
    }
    return 0;
}
