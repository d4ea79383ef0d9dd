#include <stdio.h>
static volatile int g = 4; struct s { volatile int a; int b; }; static int f(volatile int *p, int *restrict a, const int *restrict b) { *a = *b + *p; return *a; }
int main(void) { volatile int v = 3; v++; int x = v; int a, b = 2; g += v; printf("%d %d %d\n", x, g, f(&g, &a, &b)); struct s s = { 1, 2 }; s.a += s.b; volatile struct s t = { 5, 6 }; t.b = 7; printf("%d %d %d\n", s.a, t.a, t.b); int *volatile pv = &x; *pv = 4; printf("%d\n", x); volatile char c[3] = "ab"; printf("%c\n", c[1]); (void)v; v; return 0; }
