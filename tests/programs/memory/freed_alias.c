#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    int *q = p;
    *p = 3;
    free(p);
    return *q; //! use-after-free
}
