/* A number that is a member of the struct. */
#include <assert.h>
struct s { int *p; int n; };
static void put(struct s *a, int *b)
{
    a->n = 1;
    *b = 2;
    assert(a->n == 1);
}
int main(void)
{
    struct s s = {0, 0};
    put(&s, &s.n);
    return 0;
}
