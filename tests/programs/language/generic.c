#include <stdio.h>
#include <stdlib.h>
#define name(x) _Generic((x), int: "int", long: "long", double: "double", char *: "char *", const char *: "const char *", void *: "void *", default: "other", float: "float", unsigned: "unsigned")
typedef struct { int v; } S; typedef int myint; static int fi(int x) { return x + 1; } static double fd(double x) { return x * 2; }
#define call(x) _Generic((x), int: fi, double: fd)(x)
#define isptr(x) _Generic((x), S *: 1, S: 2, const S *: 3, default: 0)
int main(void) { const int ci = 1; char c = 'a'; S s = { 4 }; myint m = 1; const S *cs = &s; puts(name(1)); puts(name(1L)); puts(name(1.0)); puts(name("s")); puts(name((const char *)0)); puts(name((void *)0)); puts(name(1.0f)); puts(name(ci)); puts(name(c)); puts(name(c + 1)); puts(name(m)); puts(name(2u)); puts(name(1ULL)); printf("%d %g\n", call(4), call(1.5)); printf("%d %d %d %d\n", isptr(s), isptr(&s), isptr(1), isptr(cs)); int x = 3; _Generic(x, int: x, default: ci); *_Generic(&x, int *: &x, long *: (long *)0) = 7; printf("%d %d\n", x, _Generic(s, S: s, default: s).v); printf("%d\n", _Generic('a', char: 1, int: 2)); printf("%d\n", _Generic(fi, int (*)(int): 5, default: 6)); return _Generic(1 ? 1 : 2L, long: 0, default: 1); }
