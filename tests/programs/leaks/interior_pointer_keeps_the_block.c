// properties: leaks
#include <stdlib.h>
int main(void) {
    char *p = malloc(10);
    p += 5;
    free(p - 5);
    return 0;
}
