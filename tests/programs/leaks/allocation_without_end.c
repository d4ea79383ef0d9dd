// properties: leaks
#include <stdlib.h>
int main(void) {
    for (;;) {
        char *p = malloc(10000000); //! memory-leak
        *p = 1;
    }
}
