/* A value that is a number, a text or a pair; copied, printed and freed by its tag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    enum { NUMBER, TEXT, PAIR } tag;
    union {
        long number;
        char *text;
        struct {
            struct value *first, *second;
        };
    };
};

static struct value *make(int tag) {
    struct value *v = malloc(sizeof *v);
    if (!v)
        exit(1);
    v->tag = tag;
    return v;
}

static struct value *number(long n) {
    struct value *v = make(NUMBER);
    v->number = n;
    return v;
}

static struct value *text(const char *s) {
    struct value *v = make(TEXT);
    v->text = malloc(strlen(s) + 1);
    if (!v->text)
        exit(1);
    strcpy(v->text, s);
    return v;
}

static struct value *pair(struct value *first, struct value *second) {
    struct value *v = make(PAIR);
    v->first = first;
    v->second = second;
    return v;
}

static void print(const struct value *v) {
    switch (v->tag) {
    case NUMBER:
        printf("%ld", v->number);
        break;
    case TEXT:
        printf("\"%s\"", v->text);
        break;
    case PAIR:
        putchar('(');
        print(v->first);
        printf(" . ");
        print(v->second);
        putchar(')');
        break;
    }
}

static void drop(struct value *v) {
    if (v->tag == TEXT)
        free(v->text);
    if (v->tag == PAIR) {
        drop(v->first);
        drop(v->second);
    }
    free(v);
}

int main(void) {
    struct value *v = pair(text("one"), pair(number(2), text("three")));
    print(v);
    putchar('\n');
    drop(v);
    return 0;
}
