#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    p = realloc(p + 2, 4); //! invalid-free
    free(p);
    return 0;
}
