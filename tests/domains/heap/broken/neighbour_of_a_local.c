// The end of the caller's variable may be where the callee's own begins.
#include <assert.h>
static int is_own(char *p) { char own = 1; return p == &own; }
int main(void) {
    char a = 1;
    assert(!is_own(&a + 1));
    return a == 4;
}
