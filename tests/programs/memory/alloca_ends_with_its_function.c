#include <alloca.h>
static int *f(void) {
    int *p = alloca(sizeof *p);
    *p = 1;
    return p;
}
int main(void) {
    int *p = f();
    return *p; //! use-after-scope
}
