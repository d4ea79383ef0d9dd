#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
union n { double d; unsigned long u; };
int main(void) { union n *p = calloc(1, 8); if (!p) return 0;
  int i = 0;
  while (i < 1000) { i++; if (__VERIFIER_nondet_int() == 7) { p->d = 1.0; } }
  assert(p->u == 0); return 0; }
