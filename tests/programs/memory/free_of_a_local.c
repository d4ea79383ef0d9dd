#include <stdlib.h>
int main(void) {
    int x = 1, *p = &x;
    free(p); //! invalid-free
    return 0;
}
