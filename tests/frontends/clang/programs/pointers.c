/* Pointers, function pointers, variable arguments, VLAs, casts, library calls by address. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { long a; double b; };

static long total(int n, ...)
{
    va_list ap, again;
    long sum = 0;
    va_start(ap, n);
    va_copy(again, ap);
    for (int i = 0; i < n; i++) sum += va_arg(ap, int);
    for (int i = 0; i < n; i++) sum += 100 * va_arg(again, int);
    va_end(again);
    sum += (long)va_arg(ap, double);
    struct pair p = va_arg(ap, struct pair);
    sum += p.a + (long)p.b;
    char *s = va_arg(ap, char *);
    sum += strlen(s) + (long)va_arg(ap, long double) + va_arg(ap, long long);
    va_end(ap);
    return sum;
}

static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = vsum(n, ap); s += va_arg(ap, int); va_end(ap); return s; }

static int twice(int (*f)(int), int x) { return f(f(x)); }
static int inc(int x) { return x + 1; }
static int apply(int f(int), int x) { return (*f)(x) + (**f)(x); }
typedef int (*op)(int);
static op choose(int which) { return which ? inc : abs; }

static int old_style(a, c, f) int a; char c; float f; { return a + c + (int)f; }
static int matrix(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s + (int)sizeof a[0]; }
static int addressed(int x, char *argv[]) { int *p = &x; char ***q = &argv; *p += 1; return x + ((*q)[0][0] == 'k'); }
static int counter(void) { static int n = 10, *p = &n; return ++*p; }
static void *(*allocate)(size_t) = malloc;
static void (*release)(void *) = free;
int after();

int main(void)
{
    struct pair p = { 7, 8.5 };
    printf("%ld %d\n", total(3, 1, 2, 3, 4.5, p, "four", 2.25L, 5LL), sum(2, 10, 20, 30));
    printf("%d %d %d %d\n", twice(inc, 3), apply(inc, 4), choose(0)(-5), choose(1)(5));
    printf("%d %d %d\n", old_style(1, 'a', 2.5f), counter(), 0);
    int n = 3, m = 4;
    int v[n][m];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i][j] = i * j;
    printf("%d %zu %zu\n", matrix(n, m, v), sizeof v, sizeof v[0]);
    int (*heap)[m] = malloc(sizeof(int) * 2 * m);
    heap[1][3] = 9;
    printf("%d %d\n", heap[1][3], (int)((char *)&heap[1] - (char *)heap));
    free(heap);
    char *words[] = { "k" };
    printf("%d\n", addressed(4, words));
    int a[5] = { 1, 2, 3, 4, 5 }, *q = a + 4, *r = &a[1];
    printf("%d %d %d %d %d\n", (int)(q - r), q[0], q[-1], 1[a], q > r);
    *r++ += 10; *r = *r * 2;
    printf("%d %d %d\n", a[1], a[2], (int)(r - a));
    uintptr_t bits = (uintptr_t)q; int *back = (int *)(bits - sizeof(int));
    printf("%d %d %d\n", *back, (void *)q == q, !q);
    char bytes[sizeof(int)]; int value = 0x01020304; memcpy(bytes, &value, sizeof value);
    int other; memmove(&other, bytes, sizeof other); memset(bytes, 1, 2);
    printf("%x %d\n", other, bytes[0] + bytes[1]);
    char *s = allocate(4); strcpy(s, "abc"); puts(s); release(s);
    int *z = calloc(4, sizeof *z); z = realloc(z, 8 * sizeof *z); printf("%d\n", z[3]); free(z);
    volatile int vol = 3; vol++; vol += vol; printf("%d\n", vol);
    const char *name = __func__; printf("%s %d\n", name, after(2, 3));
    printf("%d %d %d\n", __builtin_popcount(0xff0f), __builtin_ctz(40), __builtin_clz(1));
    int result; int over = __builtin_add_overflow(2147483647, 1, &result); printf("%d %d\n", over, result);
    printf("%d %d\n", __builtin_constant_p(3), (int)__builtin_expect(value != 0, 1));
    printf("%x %d\n", __builtin_bswap32(0x11223344), __builtin_ffs(8));
    printf("%d\n", _Generic(value, int: 1, default: 2) + _Generic((char)1, int: 10, char: 20));
    enum { RED, GREEN = 5, BLUE } colour = BLUE; printf("%d %d\n", colour, RED);
    return 3;
}
int after(int a, int b) { return a * b; }
