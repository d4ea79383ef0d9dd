// properties: cleanup
#include <stdlib.h>
static void *kept;
int main(void) {
    kept = malloc(10);
    return 0; //! not-freed
}
