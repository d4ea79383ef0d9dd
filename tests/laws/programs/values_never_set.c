#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct pair { char c; int x; };
static int pick(int which) { int x; if (which) x = 4; return which ? x : 0; }
static int none(int x) { if (x) return 3; }
int main(void) {
    struct pair a, b;
    a.c = 1;
    b = a;
    unsigned char bytes[4];
    memcpy(bytes, &b, 4);
    if (__VERIFIER_nondet_bool()) b.x = 2;
    int r = pick(__VERIFIER_nondet_bool());
    none(r);
    unsigned char one = bytes[0];
    signed char other[1];
    other[0] = (signed char)bytes[1];
    return one + (__VERIFIER_nondet_bool() ? b.x : 0) + (other[0] <= 5 && other[0] > 5);
}
