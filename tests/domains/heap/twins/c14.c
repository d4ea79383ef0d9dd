// Interior pointers: a write to one field keeps the others
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct R { int a; int arr[4]; int z; };
static void put(int *p, int i, int v) { p[i] = v; /*L*/ }
static void two(struct R *r) { put(&r->a, 0, 1);
#ifdef BUG
  put(r->arr, 4, 9);
#else
  put(r->arr, 3, 9);
#endif
}
int main(void) { struct R *r = malloc(sizeof *r); if (!r) return 0; r->z = 5; two(r); assert(r->a == 1 && r->z == 5); free(r); return 0; }
