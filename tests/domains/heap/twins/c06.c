// Double free only when the caller aliases the arguments
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void fin(int *a, int *b) { free(a);
#ifndef BUG
  if (a != b)
#endif
  free(b); /*L*/ }
static void both(int *p, int *q) { fin(p, q); }
int main(void) { int *p = malloc(4), *q = malloc(4); both(p, q); p = malloc(4); both(p, p); return 0; }
