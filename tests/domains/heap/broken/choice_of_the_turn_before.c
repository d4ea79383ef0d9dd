/* The test asks what the same test said in the turn before. */
#include <stddef.h>

int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);

static int turn(double limit, int times)
{
    int a = 0, b = 0, c = 0;
    int *x = &c, *p = &a;
    for (int i = 0; i < times; i++) {
        if ((x == &b) & (limit > 0.5)) {
            x = &a;
            p = NULL;
        } else {
            x = &b;
        }
    }
    *p = 1;
    return a;
}

int main(void)
{
    double limit = __VERIFIER_nondet_double();
    return turn(limit, __VERIFIER_nondet_int()) & 0;
}
