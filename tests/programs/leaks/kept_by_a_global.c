// properties: memory-safety leaks
#include <stdlib.h>
static void *kept;
int main(void) {
    kept = malloc(10);
    return 0;
}
