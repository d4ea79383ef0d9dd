#include <stdio.h>
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static const op ops[] = { add, sub, &add }; static const struct { const char *n; op f; } named[] = { { "add", add }, { "sub", &sub } };
static op pick(int n) { return n ? add : sub; } static int (*pick2(int n))(int, int) { return ops[n]; } static int apply(int f(int, int), int a, int b) { return f(a, b); }
struct vt { int (*get)(void *); void (*set)(void *, int); }; struct obj { const struct vt *vt; int v; };
static int get(void *o) { return ((struct obj *)o)->v; } static void set(void *o, int v) { ((struct obj *)o)->v = v; } static const struct vt vt = { .get = get, .set = set };
int main(void) { for (int i = 0; i < 3; i++) printf("%d ", ops[i](7, 3)); for (int i = 0; i < 2; i++) printf("%s %d ", named[i].n, (*named[i].f)(5, 1)); printf("%d %d %d %d\n", pick(0)(9, 1), pick2(1)(4, 2), apply(add, 1, 2), (****add)(2, 2)); struct obj o = { &vt, 3 }; o.vt->set(&o, 8); printf("%d %d\n", o.vt->get(&o), pick == pick); int (*arr[2][1])(int, int) = { { add }, { sub } }; printf("%d %d\n", arr[1][0](3, 1), (1 ? add : sub)(1, 1)); void (*np)(void) = 0; if (!np && add) puts("null"); void *v = (void *)add; printf("%d\n", ((op)v)(20, 2)); printf("%d\n", (add)(1, 2)); return 0; }
