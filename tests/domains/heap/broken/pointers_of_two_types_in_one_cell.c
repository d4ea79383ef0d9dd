#include <assert.h>
struct n { struct n *next; int v; };
/* s may be the cell a->next, by another type. */
static int f(struct n *a, int **s)
{
    a->next = a;
    *s = 0;
    return a->next != 0;
}
static int g(struct n *a, struct n *b, int x)
{
    int *i = &x;
    int **s = x ? (int **)&b->next : &i;
    return f(a, s);
}
int main(void)
{
    struct n a = {0, 1}, b = {0, 2};
    assert(g(&a, &b, 1));
    assert(g(&a, &a, 0));
    assert(g(&a, &a, 1));
    return 0;
}
