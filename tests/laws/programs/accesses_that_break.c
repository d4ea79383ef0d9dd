#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int f(int *p, unsigned n) { return p[n % 5]; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    int *p = malloc(16), own[4] = {1, 2, 3, 4};
    switch (n % 6) {
    case 0: p[0] = 1; break;
    case 1: free(p); p = own; break;
    case 2: free(p); break;
    case 3: memset(p, 0, n % 20); break;
    case 4: p = own + 1; break;
    default: p = 0;
    }
    int r = f(own, n) + 100 / (int)(n % 7);
    r += f(p, n) << (n % 40);
    free(p);
    return r;
}
