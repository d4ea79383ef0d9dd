#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof *p);
    uintptr_t a = (uintptr_t)p;
    int *q = (int *)(a + sizeof *p);
    *q = 5;
    int r = p[1];
    free((void *)a);
    return r - 5;
}
