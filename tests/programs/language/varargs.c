#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
struct p { int x, y; }; struct big { long a[5]; };
static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int sum(int n, ...) { va_list ap, cp; va_start(ap, n); va_copy(cp, ap); int a = vsum(n, ap); int b = vsum(n, cp); va_end(ap); va_end(cp); return a * 1000 + b; }
static int ptr(int n, va_list *ap) { int s = 0; while (n--) s += va_arg(*ap, int); return s; }
static int two(int n, ...) { va_list ap; va_start(ap, n); int a = ptr(n, &ap); int b = va_arg(ap, int); va_end(ap); return a * 100 + b; }
static void log_(const char *fmt, ...) { va_list ap; va_start(ap, fmt); vprintf(fmt, ap); va_end(ap); }
static double mixed(const char *t, ...) { va_list ap; double r = 0; va_start(ap, t); for (; *t; t++) switch (*t) { case 'i': r += va_arg(ap, int); break; case 'd': r += va_arg(ap, double); break; case 'l': r += va_arg(ap, long); break; case 's': r += atoi(va_arg(ap, char *)); break; case 'p': { struct p p = va_arg(ap, struct p); r += p.x * p.y; break; } case 'b': r += va_arg(ap, struct big).a[4]; break; case 'f': r += va_arg(ap, int (*)(int))(5); } va_end(ap); return r; }
static int dbl(int x) { return 2 * x; }
static int (*fp)(int, ...) = sum;
struct holder { va_list ap; int n; };
static int hold(struct holder *h) { int s = 0; while (h->n--) s = s * 10 + va_arg(h->ap, int); return s; }
static int held(int n, ...) { struct holder h = { .n = n }; va_start(h.ap, n); int r = hold(&h); va_end(h.ap); return r; }
static char *fmt(const char *f, ...) { static char buf[64]; va_list ap; va_start(ap, f); vsnprintf(buf, sizeof buf, f, ap); va_end(ap); return buf; }
int main(void) { printf("%d %d\n", sum(3, 1, 2, 3), two(2, 4, 5, 6)); log_("%s %d %c %g %ld\n", "x", 1, 'c', 2.5, 1L << 40); struct big b = { { 1, 2, 3, 4, 5 } }; printf("%g\n", mixed("idlspbf", 1, 2.5, 3L, "40", (struct p){ 5, 6 }, b, dbl)); printf("%d %d %s\n", fp(1, 9), held(3, 1, 2, 3), fmt("%d/%d", 3, 4)); char c = 'x'; float f = 1.5f; short s = -2; printf("%c %g %d\n", c, f, s); return 0; }
