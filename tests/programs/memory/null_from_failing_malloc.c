// malloc: may-fail
// seeds: 20
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1; //! null-dereference
    free(p);
    return 0;
}
