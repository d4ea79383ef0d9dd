/* Two owners share a block that counts them; the last one frees it. */
#include <assert.h>
#include <stdlib.h>

struct shared {
    int owners;
    int payload;
};

static struct shared *take(struct shared *s) {
    s->owners++;
    return s;
}

static void drop(struct shared *s) {
    if (--s->owners == 0)
        free(s);
}

int main(void) {
    struct shared *first = malloc(sizeof *first);
    if (!first)
        return 1;
    first->owners = 1;
    first->payload = 42;
    struct shared *second = take(first);
    drop(first);
    assert(second->payload == 42);
    drop(second);
    return 0;
}
