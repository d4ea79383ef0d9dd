// The end of the one variable may be where the other one begins.
#include <assert.h>
static int are_one(char *p, char *q) { return p == q; }
int main(void) {
    char a = 1, b = 2;
    assert(!are_one(&a + 1, &b));
    return a + b == 4;
}
