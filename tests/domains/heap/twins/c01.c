// Strong update through two levels (needs must-write in set2)
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void set1(int **a, int *p) { *a = p; }
static void set2(int **a, int *p) {
#ifdef BUG
  if (nondet())
#endif
  set1(a, p); }
int main(void) { int x = 1, *p = NULL; set2(&p, &x); *p = 2; /*L*/ assert(x == 2); return 0; }
