#include <stdint.h>
extern _Bool __VERIFIER_nondet_bool(void);
static void *sentinel = (void *)-1;
static char *low = (char *)16;
int main(int argc, char **argv, char **env) {
    int r = argv == env;
    void *p = __VERIFIER_nondet_bool() ? sentinel : 0;
    if (p != 0) r += 2;
    if (p == (void *)-1) r += 4;
    char *q = (char *)8;
    if (q - 8 == 0) r += 8;
    if (low - 16 == 0) r += 16;
    char a[16], *b = a + 8;
    long back = -8;
    char *c = (char *)((uintptr_t)b + (uintptr_t)back);
    if (c == a) r += 32;
    if (argc > 1 && argv[1][0] == 'x') r += 64;
    return r;
}
