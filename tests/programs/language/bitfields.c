#include <stdio.h>
#include <string.h>
struct flags { unsigned a : 1; signed b : 3; unsigned : 4; unsigned c : 9; int : 0; long long d : 35; _Bool e : 1; enum { A, B, C } f : 2; };
struct packed { unsigned char x : 3; unsigned y : 13; unsigned z : 17; } __attribute__((packed));
union u { struct { unsigned lo : 12; unsigned hi : 20; }; unsigned all; };
static struct flags g = { 1, -2, 300, -7, 1, C };
int main(void) {
    struct flags f = { .c = 511 };
    f.a = 3; f.b = 5; f.d = -1; f.e = 42; f.f = B;
    printf("%d %d %d %lld %d %d %zu\n", f.a, f.b, f.c, (long long)f.d, f.e, f.f, sizeof f);
    printf("%d %d %d %lld %d %d\n", g.a, g.b, g.c, (long long)g.d, g.e, g.f);
    struct packed p; memset(&p, 0, sizeof p); p.x = 9; p.y = 0x1fff; p.z = 0x15555; printf("%zu %u %u %u\n", sizeof p, p.x, p.y, p.z);
    p.y++; p.z -= 2; p.x <<= 1; printf("%u %u %u\n", p.x, p.y, p.z);
    union u v = { .all = 0x12345678 }; printf("%x %x\n", v.lo, v.hi); v.lo = ~0; printf("%x\n", v.all);
    printf("%d\n", (f.b = 7) + f.b++ + (f.c += 1000));
    printf("%d %d\n", f.b - 4 < 0, f.c - 2000 < 0);
    struct flags *q = &f; q->c ^= 0x155; printf("%d %d\n", q->c, !q->a);
    return 0;
}
