// Allocation in a loop: distinct array cells own distinct blocks
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void mk(int **p, int n) { for (int i = 0; i < n; i++) { p[i] = malloc(4); if (!p[i]) exit(0); *p[i] = i; } }
static void rm(int **p, int n) { for (int i = 0; i < n; i++)
#ifdef BUG
  free(p[0]); /*L*/
#else
  free(p[i]);
#endif
}
int main(void) { int *p[4]; mk(p, 4); assert(*p[2] == 2); rm(p, 4); return 0; }
