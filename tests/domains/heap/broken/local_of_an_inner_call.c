#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int *keep;
static void g(int n) { int local = n; keep = &local; if (n > 0) g(n - 1); *keep = 3; }
int main(void) { g(1); return 0; }
