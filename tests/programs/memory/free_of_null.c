#include <stdlib.h>
int main(void) {
    free(0);
    free((void *)0);
    return 0;
}
