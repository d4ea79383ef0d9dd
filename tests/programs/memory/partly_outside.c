#include <stdlib.h>
int main(void) {
    char *p = malloc(6);
    int *q = (int *)(p + 4);
    *q = 1; //! out-of-bounds
    free(p);
    return 0;
}
