#include <stddef.h>
#include <stdio.h>
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - offsetof(type, member)); })
struct list_head { struct list_head *next, *prev; }; struct item { int v; struct list_head list; };
#define list_for_each_entry(pos, head, member) for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head); pos = container_of(pos->member.next, typeof(*pos), member))
static void add(struct list_head *n, struct list_head *h) { n->next = h->next; n->prev = h; h->next->prev = n; h->next = n; }
int main(void) { struct list_head head = { &head, &head }; struct item a = { 1 }, b = { 2 }, *p; add(&a.list, &head); add(&b.list, &head); list_for_each_entry(p, &head, list) printf("%d ", p->v); puts(""); printf("%d\n", container_of(&a.list, struct item, list)->v); return 0; }
