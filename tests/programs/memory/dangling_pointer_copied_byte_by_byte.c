#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p), *q;
    *p = 7;
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
    for (unsigned i = 0; i < sizeof p; i++)
        to[i] = from[i];
    free(p);
    return *q; //! use-after-free
}
