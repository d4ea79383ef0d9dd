// status: 0
#include <stdlib.h>
static int *p;
static void forget(void) { free(p); } //! double-free
int main(void)
{
    p = malloc(sizeof *p);
    free(p);
    atexit(forget);
    return 0;
}
