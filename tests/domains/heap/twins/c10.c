// Callback chosen by the caller
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct H { void (*fn)(int **); int *d; };
static void clr(int **p) { **p = 0; }
static void del(int **p) { free(*p); }
static void fire(struct H *h) { h->fn(&h->d); }
int main(void) { struct H h; h.d = malloc(4); if (!h.d) return 0; *h.d = 1; h.fn = clr;
#ifdef BUG
  h.fn = del;
#endif
  fire(&h); assert(*h.d == 0); /*L*/ free(h.d); return 0; }
