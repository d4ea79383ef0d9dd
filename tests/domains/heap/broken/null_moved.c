/* One behind null is not null. */
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
static char *after(char *p, int n) { return p + n; }
int main(void)
{
    char c = 0;
    char *p = __VERIFIER_nondet_int() ? NULL : &c;
    char *q = after(p, 1);
    if (p)
        return 0;
    return q ? *q : 0;
}
