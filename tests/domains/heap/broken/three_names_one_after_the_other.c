#include <assert.h>
/* c may be b, and b may be a: nothing asks whether c is a. */
static int f(int **a, int **b, int **c, int *one, int *two)
{
    *a = one;
    *b = two;
    **c = 7;
    return **a;
}
static int g(int **a, int **b, int **c, int *one, int *two) { return f(a, b, c, one, two); }
int main(void)
{
    int i = 1, j = 2, *p = &i, *q = &j;
    assert(g(&p, &q, &q, &i, &j) == 1);
    i = 1;
    assert(g(&p, &p, &p, &i, &j) == 7);
    i = 1;
    assert(g(&p, &q, &p, &i, &j) == 1);
    return 0;
}
