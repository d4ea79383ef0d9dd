#include <stdlib.h>
static void drop(void *p) {
    free(p); //! double-free
}
int main(void) {
    void *p = malloc(1);
    drop(p);
    drop(p);
    return 0;
}
