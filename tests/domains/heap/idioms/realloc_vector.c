// A vector that doubles its room
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t length, room;
};

static int reserve(struct vector *v, size_t wanted) {
    size_t room = v->room ? v->room : 2;
    int *items;
    if (wanted <= v->room)
        return 0;
    while (room < wanted)
        room *= 2;
    items = realloc(v->items, room * sizeof *items);
    if (!items)
        return -1;
    v->items = items;
#ifdef BUG
    v->room = room * sizeof *items;
#else
    v->room = room;
#endif
    return 0;
}

static int push(struct vector *v, int item) {
    if (reserve(v, v->length + 1) != 0)
        return -1;
    v->items[v->length++] = item; /*L*/
    return 0;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    int item, sum = 0;
    while (v.length < 6 && scanf("%d", &item) == 1)
        if (push(&v, item) != 0)
            break;
    for (size_t i = 0; i < v.length; i++)
        sum ^= v.items[i];
    printf("%d\n", sum);
    free(v.items);
    return 0;
}
