#include <stdlib.h>
int main(void) {
    char *p = "text";
    free(p); //! invalid-free
    return 0;
}
