/* Builtins that are no functions. */
#include <stddef.h>
#include <stdio.h>

struct record {
    char tag;
    struct {
        int cells[4];
    } inner;
};

int main(void)
{
    struct record unset;
    int number;
    short small = -3;
    (void)unset;
    /* What stands in typeof is not evaluated. */
    printf("%d %d %d\n", __builtin_types_compatible_p(int, __typeof__(unset.inner.cells[0])),
           __builtin_types_compatible_p(__typeof__(number), long),
           __builtin_types_compatible_p(__typeof__(&unset), struct record *));
    printf("%d %d\n", (int)offsetof(struct record, inner.cells[2]), (int)sizeof(__typeof__(unset)));
    number = __builtin_types_compatible_p(__typeof__(small), short) * 10 + (small < 0);
    printf("%d\n", number);
    printf("%d %d %d %d\n", __builtin_clrsb(0), __builtin_clrsb(-1), __builtin_clrsb(small),
           __builtin_clrsbll(1LL << 40));
    return 0;
}
