/* Build, reverse, look through and drop a list. */
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct node { int key; struct node *next; };
static struct node *push(struct node *list, int key) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh) return list;
    fresh->key = key;
    fresh->next = list;
    return fresh;
}
static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) { struct node *rest = list->next; list->next = done; done = list; list = rest; }
    return done;
}
static int has(const struct node *list, int key) {
    for (; list; list = list->next) if (list->key == key) return 1;
    return 0;
}
int main(void) {
    struct node *list = NULL;
    for (int i = 0, n = __VERIFIER_nondet_uchar() % 6; i < n; i++) list = push(list, i);
    list = reverse(list);
    int found = has(list, 3);
    while (list) { struct node *rest = list->next; free(list); list = rest; }
    return found;
}
