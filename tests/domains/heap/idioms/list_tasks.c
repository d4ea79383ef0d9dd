// A ring of links with a head of its own; the tasks lie around the links
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link {
    struct link *next, *before;
};

struct task {
    int priority;
    struct link link;
};

static void list_init(struct link *head) { head->next = head->before = head; }

static void list_add(struct link *head, struct link *l) {
    l->next = head->next;
    l->before = head;
    head->next->before = l;
    head->next = l;
}

static void list_remove(struct link *l) {
    l->before->next = l->next;
    l->next->before = l->before;
    list_init(l);
}

static int first_priority(struct link *head) {
#ifndef BUG
    if (head->next == head)
        return -1;
#endif
    return container_of(head->next, struct task, link)->priority; /*L*/
}

int main(void) {
    struct link ready;
    struct task low = {1, {NULL, NULL}}, high = {9, {NULL, NULL}};
    int done = 0, sum = 0;
    list_init(&ready);
    list_add(&ready, &low.link);
    list_add(&ready, &high.link);
    for (struct link *l = ready.next; l != &ready; l = l->next)
        sum += container_of(l, struct task, link)->priority;
    if (scanf("%d", &done) == 1 && done >= 9)
        list_remove(&high.link);
    if (done == 10)
        list_remove(&low.link);
    printf("%d %d\n", sum, first_priority(&ready));
    return 0;
}
