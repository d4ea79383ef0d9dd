// Disjunctive fact kept across a call
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void put(int *p) { *p = 7; }
int main(void) { int a = 0, b = 0, c = nondet(); put(c ? &a : &b);
#ifdef BUG
  if (c) b++;
#endif
  assert(a + b == 7); /*L*/ assert(c ? a == 7 : b == 7); return 0; }
