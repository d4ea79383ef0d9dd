#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct S { int a; int b; };
static void f(struct S *p, struct S *q, struct S *r) { p->a = 1; q->a = 2; *r = *p; assert(r->a == 1); }
int main(void) { struct S x = {0, 0}, y; f(&x, &x, &y); return 0; }
