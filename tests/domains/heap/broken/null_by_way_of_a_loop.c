/* A pointer moves in one kind of turn and is null after another. */
#include <stddef.h>

int __VERIFIER_nondet_int(void);

static int walk(int *a, int n, int c)
{
    int *p = a;
    for (int i = 0; i < n; i++) {
        if (c)
            p = NULL;
        else
            p = p + 1;
    }
    return c && n > 0 ? *p : 0;
}

int main(void)
{
    int a[4] = {0};
    int n = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    return walk(a, n, c);
}
