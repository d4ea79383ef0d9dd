/* The callee, which is not followed, puts a block into a local of its caller. */
#include <stdlib.h>
struct item { struct item *tail; };
struct box { int *p; struct item *list; };
static void fill(struct box *b)
{
    struct item *last = b->list, *made = malloc(sizeof *made);
    if (!made)
        exit(3);
    made->tail = NULL;
    b->p = malloc(4);
    if (last == NULL) {
        b->list = made;
        return;
    }
    while (last->tail)
        last = last->tail;
    last->tail = made;
}
int main(void)
{
    struct box box;
    box.list = NULL;
    fill(&box);
    free(box.list);
    return 0;
}
