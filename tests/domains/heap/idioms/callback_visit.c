// A visitor that remembers the best item it has seen
#include <stdio.h>
#include <stdlib.h>

struct item {
    int weight;
    char name[8];
};

struct best {
    struct item *item;
    int least;
};

typedef int visitor(struct item *item, void *context);

static int each(struct item *items, int n, visitor *visit, void *context) {
    for (int i = 0; i < n; i++)
        if (visit(&items[i], context))
            return i;
    return n;
}

static int note_best(struct item *item, void *context) {
    struct best *best = context;
    if (item->weight < best->least)
        return 0;
    if (!best->item || item->weight > best->item->weight)
        best->item = item;
    return 0;
}

static int stop_at_zero(struct item *item, void *context) {
    *(struct item **)context = item;
    return item->weight == 0;
}

int main(void) {
    struct item items[3] = {{1, "fig"}, {2, "plum"}, {3, "quince"}};
    struct best best = {NULL, 3};
    struct item *last = NULL;
    if (scanf("%d %d", &best.least, &items[1].weight) != 2)
        return 1;
    each(items, 3, note_best, &best);
    each(items, 3, stop_at_zero, &last);
    printf("%s\n", last->name);
#ifndef BUG
    if (best.item)
#endif
        printf("%d\n", best.item->weight); /*L*/
    return 0;
}
