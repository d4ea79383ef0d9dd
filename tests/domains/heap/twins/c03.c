// Deep sharing: two lists share a tail
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct N { struct N *n; int v; };
static void poke(struct N *l, int v) { l->n->n->v = v; }
int main(void) { struct N t = {0, 1}, m = {&t, 2}, a = {&m, 3}, b = {&m, 4};
#ifdef BUG
  struct N t2 = {0, 1}, m2 = {&t2, 2}; b.n = &m2;
#endif
  poke(&a, 9); assert(b.n->n->v == 9); /*L*/ assert(a.v == 3 && b.v == 4); return 0; }
