// Aliased actuals change the result
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void xswap(int *p, int *q) {
#ifndef BUG
  if (p == q) return;
#endif
  *p ^= *q; *q ^= *p; *p ^= *q; }
static void rot(int *a, int *b, int *c) { xswap(a, b); xswap(b, c); }
int main(void) { int x = 5, y = 7; rot(&x, &x, &y); assert(x == 7 && y == 5); /*L*/ return 0; }
