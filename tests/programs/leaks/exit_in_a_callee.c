// properties: leaks
#include <stdlib.h>
static void stop(void) { exit(0); }
int main(void) {
    char *p = malloc(1);
    *p = 0;
    stop();
    free(p);
    return 1;
}
