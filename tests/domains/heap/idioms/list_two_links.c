// A client hangs in two lists: all clients, and those that wait
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct hook {
    struct hook *next, **where;
};

struct client {
    struct hook all;
    int number;
    struct hook waiting;
};

static struct hook *clients, *queue;

static void hang(struct hook **list, struct hook *h) {
    h->next = *list;
    h->where = list;
    if (h->next)
        h->next->where = &h->next;
    *list = h;
}

static void unhang(struct hook *h) {
    if (!h->where)
        return;
    *h->where = h->next;
    if (h->next)
        h->next->where = h->where;
    h->where = NULL;
}

static struct client *join(int number) {
    struct client *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->number = number;
    hang(&clients, &c->all);
    if (number > 0)
        hang(&queue, &c->waiting);
    return c;
}

static void leave(struct client *c) {
    unhang(&c->all);
#ifndef BUG
    unhang(&c->waiting);
#endif
    free(c);
}

int main(void) {
    int number, waiting = 0;
    struct client *one, *two;
    if (scanf("%d", &number) != 1)
        return 1;
    one = join(7);
    two = join(number);
    if (two)
        leave(two);
    for (struct hook *h = queue; h; h = h->next)
        waiting += container_of(h, struct client, waiting)->number; /*L*/
    if (one)
        leave(one);
    printf("%d\n", waiting);
    return clients != NULL;
}
