// Recursion over a list built by recursion
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct N { struct N *n; };
static struct N *mk(int k) { if (k <= 0) return NULL; struct N *x = malloc(sizeof *x); if (!x) return NULL; x->n = mk(k - 1); return x; }
static void fr(struct N *x) { if (!x) return;
#ifdef BUG
  free(x); fr(x->n); /*L*/
#else
  struct N *n = x->n; free(x); fr(n);
#endif
}
int main(void) { fr(mk(3)); return 0; }
