// seeds: 30
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(4);
    free(p);
    char *q = malloc(4);
    if (p != q)
        reach_error(); //! reachable-error
    free(q);
    return 0;
}
