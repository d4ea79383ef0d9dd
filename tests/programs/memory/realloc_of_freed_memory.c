#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    free(p);
    p = realloc(p, 4); //! double-free
    free(p);
    return 0;
}
