#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct link { struct link *next, *prev; };
struct item { int key; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - __builtin_offsetof(struct item, link)))
static struct link ring = {&ring, &ring};
static void add(struct item *item) {
    item->link.next = ring.next;
    item->link.prev = &ring;
    ring.next->prev = &item->link;
    ring.next = &item->link;
}
int main(void) {
    for (int n = __VERIFIER_nondet_uchar() % 4; n > 0; n--) {
        struct item *item = malloc(sizeof *item);
        if (!item) break;
        item->key = n;
        add(item);
    }
    int sum = 0;
    for (struct link *l = ring.next; l != &ring; l = l->next) sum += ITEM(l)->key;
    while (ring.next != &ring) {
        struct link *l = ring.next;
        l->next->prev = &ring;
        ring.next = l->next;
        free(ITEM(l));
    }
    return sum;
}
