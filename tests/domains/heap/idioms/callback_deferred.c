// Things to do at the end, each a function and its argument, last come first served
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef void action(void *argument);

struct deferred {
    action *run;
    void *argument;
    struct deferred *below;
};

static struct deferred *top;

static int defer(action *run, void *argument) {
    struct deferred *d = malloc(sizeof *d);
    if (!d) {
        run(argument);
        return -1;
    }
    d->run = run;
    d->argument = argument;
    d->below = top;
    top = d;
    return 0;
}

static void run_all(void) {
    while (top) {
        struct deferred *d = top;
        top = d->below;
        d->run(d->argument);
        free(d);
    }
}

static void release(void *block) { free(block); /*L*/ }

static void set_flag(void *flag) { *(int *)flag = 1; }

int main(void) {
    int done = 0;
    int *table = malloc(4 * sizeof *table);
    if (!table)
        return 1;
    if (defer(release, table) != 0)
        return 2;
    if (defer(set_flag, &done) == 0)
        table[3] = done;
#ifdef BUG
    if (__VERIFIER_nondet_int() == 4)
        defer(release, table);
#endif
    run_all();
    return done - 1;
}
