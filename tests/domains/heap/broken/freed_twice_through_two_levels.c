#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void f(int **p, int **q) { free(*p); *q = malloc(4); if (*q) **q = 1; free(*p); }
int main(void) { int *x = malloc(4), *y = 0; f(&x, &y); free(y); return 0; }
