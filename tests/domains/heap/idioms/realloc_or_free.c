// A wrapper that frees the old block if there is no new one
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct frame {
    unsigned char *bytes;
    size_t size;
};

static void *resized(void *old, size_t size) {
    void *fresh = realloc(old, size);
    if (!fresh)
        free(old);
    return fresh;
}

static int widen(struct frame *frame, size_t more) {
    frame->bytes = resized(frame->bytes, frame->size + more);
    if (!frame->bytes) {
#ifndef BUG
        frame->size = 0;
#endif
        return -1;
    }
    memset(frame->bytes + frame->size, 0, more);
    frame->size += more;
    return 0;
}

static int total(const struct frame *frame) {
    int sum = 0;
    for (size_t i = 0; i < frame->size; i++)
        sum += frame->bytes[i]; /*L*/
    return sum;
}

int main(void) {
    struct frame frame = {NULL, 0};
    int sum;
    if (widen(&frame, 4) == 0)
        frame.bytes[3] = 1;
    if (__VERIFIER_nondet_int() > 0)
        widen(&frame, 2);
    sum = total(&frame);
    free(frame.bytes);
    return sum;
}
