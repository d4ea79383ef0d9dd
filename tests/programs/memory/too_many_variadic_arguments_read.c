#include <stdarg.h>
static int sum(int n, ...) {
    va_list ap;
    int total = 0;
    va_start(ap, n);
    while (n--)
        total += va_arg(ap, int); //! out-of-bounds
    va_end(ap);
    return total;
}
int main(void) { return sum(3, 1, 2); }
