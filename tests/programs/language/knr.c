#include <stdio.h>
int add(a, b) int a, b; { return a + b; }
float half(f, c, p) float f; char c; int *p; { *p = c; return f / 2; }
main2() { return 7; }
struct s { int v; }; int take(s, arr) struct s s; int arr[]; { return s.v + arr[1]; }
implicit(x) { return x * 2; }
static g; const k = 5; auto_() { auto a = 3; register b = 4; return a + b; }
void noargs(); int (*fp)();
int main(argc, argv) int argc; char **argv; { int c; printf("%d %g ", add(2, 3), half(5.0, 'c', &c)); printf("%d\n", c); struct s s = { 4 }; int a[2] = { 1, 2 }; printf("%d %d %d %d %d\n", main2(), take(s, a), implicit(4), g + k, auto_()); fp = add; printf("%d\n", fp(5, 6)); noargs(1); return undeclared(3) - 6; }
void noargs(x) int x; { printf("noargs %d\n", x); }
int undeclared(int x) { return x * 2; }
