#include <assert.h>
struct n { struct n *next; int *p; };
/* One writes both cells in one order, the other in the other. */
static void f(struct n *a, int **s, int x)
{
    if (x) {
        *s = 0;
        a->next = a;
    } else {
        a->next = a;
        *s = 0;
    }
}
int main(void)
{
    struct n a = {0, 0};
    f(&a, &a.p, 0);
    assert(a.next == &a);
    f(&a, (int **)&a.next, 1);
    assert(a.next == &a);
    f(&a, (int **)&a.next, 0);
    assert(a.next == &a);
    return 0;
}
