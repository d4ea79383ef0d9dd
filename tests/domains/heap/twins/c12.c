// Recursion returning an address: must be the caller's cell, never a callee local
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct N { struct N *n; };
static struct N **last(struct N **pp) { if (*pp == NULL) return pp;
#ifdef BUG
  struct N *c = (*pp)->n; if (c == NULL) { struct N **volatile q = &c; return q; } return last(&c);
#else
  return last(&(*pp)->n);
#endif
}
int main(void) { struct N a = {0}, b = {0}, *h = &a; *last(&h) = &b; assert(a.n == &b); /*L*/ return 0; }
