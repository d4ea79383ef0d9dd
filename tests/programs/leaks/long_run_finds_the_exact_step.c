// properties: leaks
#include <stdlib.h>
static int *slot[16];
int main(void) {
    for (int i = 0; i < 3000; i++) {
        int k = i % 16;
        if (i != 1777)
            free(slot[k]);
        else
            k = (k + 1) % 16;
        slot[k] = malloc(sizeof(int)); //! memory-leak
    }
    for (int k = 0; k < 16; k++)
        free(slot[k]);
    return 0;
}
