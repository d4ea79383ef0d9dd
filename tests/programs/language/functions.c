#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static binary pick(char c) { return c == '+' ? add : &sub; }
static int apply(int (*f)(int, int), int a, int b) { return (*f)(a, b) + f(b, a); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); }
static int counter(void) { static int n = 5; static int *p = &n; return (*p)++; }
struct pair { double d; char c; };
static double mix(int n, ...) {
    va_list ap, copy; double r = 0;
    va_start(ap, n); va_copy(copy, ap);
    for (int i = 0; i < n; i++) r += va_arg(ap, int) + va_arg(ap, double) + strlen(va_arg(ap, char *)) + va_arg(ap, long long);
    struct pair p = va_arg(ap, struct pair);
    r += p.d + p.c + va_arg(copy, int); va_end(ap); va_end(copy);
    return r;
}
static int vprint(const char *f, va_list ap) { return vprintf(f, ap); }
static int print(const char *f, ...) { va_list ap; va_start(ap, f); int n = vprint(f, ap); va_end(ap); return n; }
static int old(a, b) int a; char b; { return a * b; }
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void grow(char **s) { *s = realloc(*s, 10); strcat(*s, "!"); }
static float half(float f) { return f / 2; }
static int deep(int n) { char pad[16]; pad[n % 16] = 1; return n ? deep(n - 1) + pad[n % 16] : 0; }
int main(int argc, char **argv) {
    binary table[] = {add, sub, [3] = add};
    printf("%d %d %d %d\n", pick('+')(3, 4), pick('-')(3, 4), apply(add, 1, 2), table[3](5, 6));
    printf("%d %d %d\n", fib(15), even(10), odd(7));
    counter(); counter(); printf("%d\n", counter());
    struct pair p = {0.5, 2};
    printf("%g\n", mix(2, 1, 0.25, "abc", 100LL, 2, 0.5f, "", -1LL, p));
    printf("%d\n", print("%d-%s-%c-%5.2f\n", 42, "str", 'x', 3.14159));
    printf("%d\n", old(6, 7));
    int a[] = {5, 3, 9, 1, 7}, key = 7; qsort(a, 5, sizeof *a, compare);
    int *found = bsearch(&key, a, 5, sizeof *a, compare);
    printf("%d %d %td\n", a[0], a[4], found - a);
    swap(&a[0], &a[4]); printf("%d\n", *a);
    char *s = malloc(4); strcpy(s, "abc"); grow(&s); printf("%s %zu\n", s, strlen(s)); free(s);
    printf("%g %d\n", half(5), (int)half('b'));
    printf("%d\n", deep(20000));
    printf("%d %d\n", argc, argv[argc] == NULL);
    int (*(*ptr)(char))(int, int) = pick; printf("%d %d\n", ptr('-')(1, 2), ptr == &pick);
    atexit(0 ? (void (*)(void))0 : (void (*)(void))counter);
    exit(fib(6));
}
