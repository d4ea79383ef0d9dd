#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void f(int *p, char *q) { *p = 0x01010101; *q = 0; assert(*p == 0x01010101); for (;;); }
int main(void) { int x; f(&x, (char *)&x); return 0; }
