#include <stdlib.h>
int __VERIFIER_nondet_int(void);
/* In the second turn the old number of bytes is used with the new block. */
int main(void)
{
    int used = 4;
    for (int i = 0; i < 2; i++) {
        int size = __VERIFIER_nondet_int() ? 4 : 8;
        char *p = malloc(size);
        if (!p)
            return 0;
        p[used - 1] = 1;
        used = size;
        free(p);
    }
    return 0;
}
