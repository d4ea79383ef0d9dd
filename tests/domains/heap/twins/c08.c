// Return value correlated with an out-parameter
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct P { int v; };
static struct P g = {3};
static int lookup(int k, struct P **out) { if (k == 0) { *out = NULL; return -1; } *out = &g; return 0; }
static int get(int k) { struct P *p; int r = lookup(k, &p);
#ifndef BUG
  if (r) return 0;
#endif
  return p->v; /*L*/ }
int main(void) { return get(1) != 3 || get(nondet()) < 0; }
