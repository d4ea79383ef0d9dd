#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    int *q = p;
    *p = 1;
    p = realloc(p, 100 * sizeof *p);
    *q = 2; //! use-after-free
    free(p);
    return 0;
}
