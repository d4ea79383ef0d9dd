// Handlers that keep what they were given: the event is the dispatcher's, so a copy is kept
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct event {
    int code;
};

struct handler {
    void (*fn)(void *self, struct event *event);
    void *self;
};

struct keeper {
    struct event *last;
};

static void keep(void *self, struct event *event) {
    struct keeper *keeper = self;
#ifdef BUG
    keeper->last = event;
#else
    struct event *copy = malloc(sizeof *copy);
    if (!copy)
        return;
    *copy = *event;
    free(keeper->last);
    keeper->last = copy;
#endif
}

static void count(void *self, struct event *event) {
    if (event->code > 0)
        ++*(int *)self;
}

static void dispatch(const struct handler *handlers, int n, int code) {
    struct event *event = malloc(sizeof *event);
    if (!event)
        return;
    event->code = code;
    for (int i = 0; i < n; i++)
        handlers[i].fn(handlers[i].self, event);
    free(event);
}

int main(void) {
    struct keeper keeper = {NULL};
    int positive = 0;
    struct handler handlers[2] = {{count, &positive}, {keep, &keeper}};
    int n = __VERIFIER_nondet_int() ? 2 : 1;
    dispatch(handlers, n, __VERIFIER_nondet_int());
    dispatch(handlers, n, 5);
    if (keeper.last && keeper.last->code > 5) /*L*/
        positive++;
#ifndef BUG
    free(keeper.last);
#endif
    return positive > 3;
}
