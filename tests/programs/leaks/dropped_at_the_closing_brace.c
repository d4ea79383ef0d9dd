// properties: leaks
#include <stdlib.h>
static void f(void) {
    char *p = malloc(1);
    *p = 2;
} //! memory-leak
int main(void) {
    f();
    return 0;
}
