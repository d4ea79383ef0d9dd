#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct vector { int *items; size_t len, cap; };
static int push(struct vector *v, int x) {
    if (v->len == v->cap) {
        size_t cap = v->cap ? 2 * v->cap : 2;
        int *grown = realloc(v->items, cap * sizeof *grown);
        if (!grown) return 0;
        v->items = grown;
        v->cap = cap;
    }
    v->items[v->len++] = x;
    return 1;
}
int main(void) {
    struct vector v = {0};
    unsigned n = __VERIFIER_nondet_uchar() % 7;
    for (unsigned i = 0; i < n; i++) if (!push(&v, (int)i)) break;
    struct vector *copy = calloc(2, sizeof *copy);
    if (copy) { copy[1] = v; copy[0].len = v.len; }
    int sum = 0;
    for (size_t i = 0; i < v.len; i++) sum += v.items[i];
    free(v.items);
    free(copy);
    return sum;
}
