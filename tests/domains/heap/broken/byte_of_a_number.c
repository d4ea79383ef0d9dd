/* A byte that is part of a number. */
#include <assert.h>
static void put(int *a, char *b)
{
    *a = 1;
    *b = 2;
    assert(*a == 1);
}
int main(void)
{
    int n = 0;
    put(&n, (char *)&n);
    return 0;
}
