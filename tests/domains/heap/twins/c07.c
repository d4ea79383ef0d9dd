// Leak: the slot is overwritten strongly, so the old block is lost
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void replace(int **slot) {
#ifndef BUG
  free(*slot);
#endif
  *slot = malloc(4); /*L*/ }
int main(void) { int *p = malloc(4); replace(&p); replace(&p); free(p); return 0; }
