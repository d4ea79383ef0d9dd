// A callee reads where a pointer leads, which is in front of the caller's block
#include <stdlib.h>

static int get(int *p) { return *p; }

int main(void) {
    int r, *p = malloc(4 * sizeof *p);
    if (!p)
        return 0;
    p[0] = 1;
    r = get(p - 2);
    free(p);
    return r;
}
