#include <stdarg.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static long sum(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    long total = 0;
    for (int i = 0; i < n; i++) total += i % 2 ? *va_arg(list, int *) : va_arg(list, int);
    if (n) total += va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}
int main(void) {
    int x = __VERIFIER_nondet_uchar(), y = 3;
    return sum(0) + sum(1, x) + sum(3, 1, &x, y) + sum(x % 3, 4, &y) > 99;
}
