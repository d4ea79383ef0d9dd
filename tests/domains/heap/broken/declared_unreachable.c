/* A run gets to a place that is declared unreachable; what it does from there on nobody knows. */
extern int __VERIFIER_nondet_int(void);
static int pick(int *a, int n)
{
    if (n > 3)
        __builtin_unreachable();
    return a[n & 3];
}
int main(void)
{
    int a[4] = {0};
    return pick(a, __VERIFIER_nondet_int());
}
