// The end of the one variable may be where the other one begins; the callee does not return.
#include <assert.h>
static void check(char *p, char *q) {
    assert(p + 1 != q);
    for (;;)
        ;
}
static void both(char *p, char *q) { check(p, q); }
int main(void) {
    char a = 1, b = 2;
    both(&a, &b);
    return a + b == 4;
}
