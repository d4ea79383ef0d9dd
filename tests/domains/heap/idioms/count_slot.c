// A slot that holds a counted object; it may be set to what it holds already
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct shape {
    unsigned holders;
    int sides;
};

static struct shape *current;

static struct shape *shape_new(int sides) {
    struct shape *s = malloc(sizeof *s);
    if (s) {
        s->holders = 1;
        s->sides = sides;
    }
    return s;
}

static void shape_put(struct shape *s) {
    if (s && --s->holders == 0)
        free(s);
}

static void assign(struct shape **slot, struct shape *s) {
#ifdef BUG
    shape_put(*slot);
    if (s)
        s->holders++; /*L*/
#else
    if (s)
        s->holders++;
    shape_put(*slot);
#endif
    *slot = s;
}

static void draw(int sides) {
    struct shape *s = shape_new(sides);
    assign(&current, s);
    shape_put(s);
}

int main(void) {
    draw(3);
    if (__VERIFIER_nondet_int() == 4)
        draw(4);
    if (__VERIFIER_nondet_int() == 5)
        assign(&current, current);
    if (current && current->sides > 4)
        return 1;
    assign(&current, NULL);
    return 0;
}
