/* Function pointers: a table of operations and a visitor with its own state. */
#include <assert.h>
#include <stdlib.h>

typedef int (*operation)(int, int);

static int add(int x, int y) { return x + y; }
static int multiply(int x, int y) { return x * y; }

struct item {
    int value;
    struct item *next;
};

static void visit(struct item *list, void (*each)(struct item *, void *), void *state) {
    while (list) {
        struct item *next = list->next;
        each(list, state);
        list = next;
    }
}

struct fold {
    operation op;
    int result;
};

static void fold_in(struct item *item, void *state) {
    struct fold *fold = state;
    fold->result = fold->op(fold->result, item->value);
}

static void discard(struct item *item, void *state) {
    (void)state;
    free(item);
}

int main(void) {
    static const operation table[] = {add, multiply};
    struct item *list = NULL;
    for (int i = 1; i <= 5; i++) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            break;
        item->value = i;
        item->next = list;
        list = item;
    }
    struct fold sum = {table[0], 0}, product = {table[1], 1};
    visit(list, fold_in, &sum);
    visit(list, fold_in, &product);
    if (list && list->value == 5)
        assert(sum.result == 15 && product.result == 120);
    visit(list, discard, NULL);
    return 0;
}
