// properties: leaks
#include <stdlib.h>
static int f(void) {
    int *p = malloc(sizeof *p);
    *p = 3;
    return *p; //! memory-leak
}
int main(void) { return f() - 3; }
