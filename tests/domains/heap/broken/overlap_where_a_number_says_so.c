#include <assert.h>
int __VERIFIER_nondet_int(void);
/* The cells of p and q overlap in part, and are both used only if x is 3. */
static int f(char *p, int *q, int x)
{
    *q = 0;
    if (x == 3)
        *p = 1;
    return *q;
}
static int g(char *p, int *q, int x) { return f(p, q, x + 1); }
int main(void)
{
    int n = 5;
    char c = 0;
    assert(g(&c, &n, 2) == 0);
    assert(g((char *)&n + 1, &n, 7) == 0);
    assert(g((char *)&n + 1, &n, __VERIFIER_nondet_int() ? 2 : 4) == 0);
    return 0;
}
