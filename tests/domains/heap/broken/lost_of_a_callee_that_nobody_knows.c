/* The callee walks a list, so that it is not followed; what it made is lost, and has no name. */
#include <stdlib.h>
struct item { int key; struct item *tail; };
static struct item *make(int key, struct item *tail)
{
    struct item *cell = malloc(sizeof *cell);
    if (!cell)
        exit(3);
    cell->key = key;
    cell->tail = tail;
    return cell;
}
static void append(struct item **list, int value)
{
    struct item *last = *list;
    if (last == NULL) {
        *list = make(value, NULL);
        return;
    }
    for (; last->tail; last = last->tail) {
    }
    last->tail = make(value, NULL);
}
int main(void)
{
    struct item *list = NULL;
    for (int i = 1; i <= 3; i++)
        append(&list, i);
    list->tail = NULL;
    return 0;
}
