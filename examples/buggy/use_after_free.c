/* The loop reads the link of a node that it has just freed. */
#include <stdlib.h>

struct node {
    struct node *next;
};

static void drop(struct node *list) {
    for (; list; list = list->next)
        free(list);
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            break;
        fresh->next = list;
        list = fresh;
    }
    drop(list);
    return 0;
}
