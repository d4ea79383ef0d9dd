#include <stdio.h>
#include <stddef.h>
struct s { int kind; union { int i; struct { short lo, hi; }; double d; }; struct { char tag[4]; } named; };
struct s gs = { 1, .lo = 3, .hi = 4, { "abc" } };
struct deep { struct { struct { struct { int x; }; union { int y; float z; }; }; }; int w; };
int main(void) {
    struct s a = { .kind = 2, .d = 1.5, .named = { "xy" } };
    printf("%d %g %s %zu\n", a.kind, a.d, a.named.tag, offsetof(struct s, hi));
    printf("%d %d %d %s\n", gs.kind, gs.lo, gs.hi, gs.named.tag);
    a.i = 0x00020001; printf("%d %d\n", a.lo, a.hi);
    struct deep d = { .y = 4, .x = 3, .w = 5 }; printf("%d %d %d\n", d.x, d.y, d.w);
    struct deep e = { 1, 2, 3 }; printf("%d %d %d\n", e.x, e.y, e.w);
    struct deep *p = &e; p->y = 9; int *q = &p->x; printf("%d %d\n", *q, p->y);
    struct { int a; union { long l; char c[8]; }; } un = { 1, { 0x6161 } }; printf("%s\n", un.c);
    return 0;
}
