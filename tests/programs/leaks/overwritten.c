// properties: memory-safety leaks
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    p = malloc(2); //! memory-leak
    free(p);
    return 0;
}
