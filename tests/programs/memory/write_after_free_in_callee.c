#include <stdlib.h>
struct node { struct node *next; int v; };
static void set(struct node *n) {
    n->v = 1; //! use-after-free
}
int main(void) {
    struct node *n = calloc(1, sizeof *n);
    free(n);
    set(n);
    return 0;
}
