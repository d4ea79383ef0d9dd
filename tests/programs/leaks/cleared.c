// properties: leaks
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    *p = 1;
    p = NULL; //! memory-leak
    return p != NULL;
}
