// properties: uninitialised
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 0;
    int r = p[0] + p[1]; //! uninitialised-use
    free(p);
    return r;
}
