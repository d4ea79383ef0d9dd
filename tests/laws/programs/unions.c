#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
union mix { unsigned long w; double d; int i[2]; unsigned char b[8]; signed char sb[8]; void *p; };
static union mix shared;
static void put(union mix *u, int how, int x) {
    switch (how) {
    case 0: u->d = x; break;
    case 1: u->i[x & 1] = x; break;
    case 2: u->b[x & 7] = (unsigned char)x; break;
    case 3: u->p = u; break;
    default: memset(u, x, (unsigned)x % 9); break;
    }
}
int main(void) {
    union mix own = {0}, copy;
    for (int i = 0; i < 5; i++) put(__VERIFIER_nondet_bool() ? &own : &shared, i, __VERIFIER_nondet_int());
    copy = own;
    int x = copy.sb[3] + copy.b[7] + shared.i[1];
    if (copy.p == &own) x++;
    return x == 77;
}
