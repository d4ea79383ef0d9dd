#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void f(int *p, int i, int *q) { *q = 1; p[i] = 2; assert(*q == 1); }
int main(void) { int a[4]; f(a, 2, a + 2); return 0; }
