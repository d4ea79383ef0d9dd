#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct N { struct N *n; int v; };
static void two(struct N *a, struct N *b) { a->v = 1; b->n->v = 2; assert(a->v == 1); }
int main(void) { struct N x = {0, 0}, y = {&x, 0}; two(&x, &y); return 0; }
