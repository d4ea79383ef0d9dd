/* A queue driven by inputs: each one says whether to put or to take. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};

struct queue {
    struct cell *head, **tail;
};

static void put(struct queue *q, int value) {
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        exit(1);
    cell->value = value;
    cell->next = NULL;
    *q->tail = cell;
    q->tail = &cell->next;
}

static int take(struct queue *q) {
    struct cell *cell = q->head;
    int value = cell->value;
    q->head = cell->next;
    if (!q->head)
        q->tail = &q->head;
    free(cell);
    return value;
}

int main(void) {
    struct queue q = {NULL, &q.head};
    int next = 0, expected = 0;
    for (int i = 0; i < 20; i++) {
        if (__VERIFIER_nondet_int() > 0)
            put(&q, next++);
        else if (q.head)
            assert(take(&q) == expected++);
    }
    while (q.head)
        take(&q);
    return 0;
}
