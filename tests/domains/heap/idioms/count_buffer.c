// A buffer with two owners, counted by hand
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    int references;
    int size;
    char *bytes;
};

static struct buffer *new_buffer(int size) {
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        return NULL;
    b->bytes = calloc((size_t)size, 1);
    if (!b->bytes) {
        free(b);
        return NULL;
    }
    b->references = 1;
    b->size = size;
    return b;
}

static struct buffer *hold(struct buffer *b) {
    b->references++;
    return b;
}

static void release(struct buffer *b) {
    if (b && --b->references == 0) {
        free(b->bytes);
        free(b);
    }
}

struct view {
    struct buffer *buffer;
    int at;
};

static void look(struct view *view, struct buffer *b, int at) {
#ifdef BUG
    view->buffer = at ? hold(b) : b;
#else
    view->buffer = hold(b);
#endif
    view->at = at;
}

int main(void) {
    struct view view;
    int at;
    struct buffer *b = new_buffer(16);
    if (!b)
        return 1;
    if (scanf("%d", &at) != 1 || at < 0 || at >= b->size) {
        release(b);
        return 2;
    }
    look(&view, b, at);
    release(b);
    printf("%d\n", view.buffer->bytes[view.at]); /*L*/
    release(view.buffer);
    return 0;
}
