#include <stdlib.h>
int main(void) {
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i <= 4; i++)
        a[i] = i; //! out-of-bounds
    free(a);
    return 0;
}
