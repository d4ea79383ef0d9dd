/* Builds a list, reverses it in place, checks the order, frees it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return head;
    fresh->value = value;
    fresh->next = head;
    return fresh;
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++)
        list = push(list, i);
    list = reverse(list);

    int last = -1;
    while (list) {
        struct node *rest = list->next;
        assert(list->value > last);
        last = list->value;
        printf("%d\n", list->value);
        free(list);
        list = rest;
    }
    return 0;
}
