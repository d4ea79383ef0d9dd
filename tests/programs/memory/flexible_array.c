#include <stdlib.h>
struct text { unsigned length; char data[]; };
int main(void) {
    struct text *t = malloc(sizeof *t + 3);
    t->length = 3;
    t->data[2] = 'c';
    t->data[3] = 0; //! out-of-bounds
    free(t);
    return 0;
}
