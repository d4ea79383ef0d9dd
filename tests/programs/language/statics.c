#include <stdio.h>
int tentative; int tentative; extern int tentative; int arr[]; int arr[3]; static int sfwd; static int sfwd = 4; extern int later; int later = 6;
static int counter(void) { static int n = 10; static int *p = &n; ++*p; return n; } static int other(void) { static int n; return ++n; }
static int rec(int d) { static int depth; if (d) { depth++; rec(d - 1); } return depth; }
static struct node { struct node *next; int v; } a, b = { &a, 2 }, a = { &b, 1 };
static int fwd(void); int useit(void) { return fwd(); } static int fwd(void) { return 12; } int usea(void) { extern int later; return later; }
static const int K = 5; static int tab[] = { sizeof(int) * 2, 'a' + 1, 1 ? 3 : 4, ~0, -(5), 7 % 4, 1 << 3, (int)2.9, !0, K + 0 };
static char *msg = "abc" + 1; static char *end = &"hello"[5]; static long diff = (char *)&arr[2] - (char *)&arr[0]; static int *mid = &tab[2] - 1; static double d = 1.0 / 4; static float f = 1e10f; static unsigned char uc = 300; static void *self = &self; static size_t off = (size_t)&((struct node *)0)->v;
int main(void) { counter(); printf("%d %d %d %d %d\n", counter(), other(), 0, rec(3), tentative); printf("%d %d %d %d %d %d\n", sfwd, later, a.next->v, b.next->v, useit(), usea()); for (unsigned i = 0; i < 10; i++) printf("%d ", tab[i]); printf("%s %d %ld %d %g %g %d %d %zu\n", msg, *end, diff, *mid, d, f, uc, self == &self, off); { static int n = 3; n++; printf("%d\n", n); } arr[2] = 5; return 0; }
