/* Callee and caller both think they own the block. */
#include <stdlib.h>

static int consume(int *p) {
    int value = *p;
    free(p);
    return value;
}

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 7;
    consume(p);
    free(p);
    return 0;
}
