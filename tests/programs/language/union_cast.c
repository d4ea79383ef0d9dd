#include <stdio.h>
union number { int i; float f; char *s; };
static int whole(union number n) { return n.i; }
int main(void)
{
    union number n = (union number)3;
    printf("%d %g %s\n", n.i, (double)((union number)1.5f).f, ((union number)(char *)"text").s);
    n = (union number)(n.i + 4);
    return whole(n) + whole((union number)5) - 12;
}
