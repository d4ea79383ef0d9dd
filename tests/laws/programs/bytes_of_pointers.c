#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct box { int *p; int x; };
int main(void) {
    struct box a, b = {0};
    int own = 4;
    a.p = __VERIFIER_nondet_uchar() & 1 ? &own : malloc(sizeof(int));
    if (!a.p) return 0;
    *a.p = 9;
    a.x = 1;
    for (unsigned i = 0; i < sizeof a; i++) ((unsigned char *)&b)[i] = ((unsigned char *)&a)[i];
    *b.p += 1;
    uintptr_t word = (uintptr_t)b.p;
    int *back = (int *)(word + 4 - 4);
    memmove((char *)&b + 4, &b, 4);
    int seen = *back;
    if (a.p != &own) free(a.p);
    return seen;
}
