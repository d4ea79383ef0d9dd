/* The middle field lies across three bytes: setting it leaves what is beside it. */
#include <assert.h>
struct __attribute__((packed)) flags {
    unsigned char first;
    unsigned low : 7, middle : 10, high : 7;
    unsigned char last;
};
static void set(struct flags *flags, unsigned middle) { flags->middle = middle; }
int main(void) {
    struct flags flags = {1, 2, 3, 4, 5};
    set(&flags, 9);
    assert(flags.first == 1 && flags.last == 5);
    set((struct flags *)((char *)&flags + 2), 9); /* beyond its end */
    return 0;
}
