// properties: leaks
#include <stdlib.h>
int main(void) {
    int n = 0;
    {
        char *p, **q = &p;
        *q = malloc(1);
        n++;
    } //! memory-leak
    return n - 1;
}
