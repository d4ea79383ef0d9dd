// Update order of callee stores must survive aliasing (Section 5), conditional last store
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void f(int *p, int *q, int c) { *p = 1; if (c) *q = 2; }
int main(void) { int x = 0, y = 0, z = 0; f(&x, &x, 0); f(&y, &y, 1); f(&z, &x, 1);
#ifdef BUG
  f(&y, &y, 0);
#endif
  assert(x == 2 && y == 2 && z == 1); /*L*/ return 0; }
