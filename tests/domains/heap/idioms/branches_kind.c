// A tagged union that owns a text only under one tag
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

enum kind { NOTHING, NUMBER, TEXT };

struct value {
    enum kind kind;
    union {
        long number;
        char *text;
    } as;
};

static void clear(struct value *v) {
    switch (v->kind) {
    case TEXT:
        free(v->as.text); /*L*/
        break;
    case NUMBER:
    case NOTHING:
        break;
    }
#ifndef BUG
    v->kind = NOTHING;
#endif
}

static void set_number(struct value *v, long number) {
    clear(v);
    v->kind = NUMBER;
    v->as.number = number;
}

static int set_text(struct value *v, const char *text) {
    char *copy;
    clear(v);
    copy = malloc(strlen(text) + 1);
    if (!copy)
        return -1;
    strcpy(copy, text);
    v->kind = TEXT;
    v->as.text = copy;
    return 0;
}

int main(void) {
    struct value a = {NOTHING, {0}}, b = {NOTHING, {0}};
    int wish = __VERIFIER_nondet_int();
    if (set_text(&a, "first") == 0 && wish > 3)
        set_text(&a, "second");
    if (wish == 7)
        set_number(&b, 7);
    else if (wish < 0)
        set_text(&b, "below");
    if (b.kind == TEXT)
        assert(b.as.text[0] == 'b');
    clear(&b);
    set_number(&a, 1);
    clear(&a);
    return 0;
}
