/* One past the end of a block may be the start of another one. */
#include <assert.h>
static int meets(char *a, unsigned long n, char *b) { return a + n == b; }
static int through(char *a, unsigned long n, char *b) { return meets(a + n, 0, b) || meets(a, n, b); }
int main(void)
{
    char x[4], y[4];
    assert(!through(x, 4, y));
    return 0;
}
