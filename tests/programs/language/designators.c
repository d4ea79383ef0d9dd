#include <stdio.h>
struct p { int x, y; };
struct q { struct p a[3]; int n; struct { char c[4]; struct p in; } z; };
static struct q g = { .a[1].y = 4, 5, .n = 6, .z = { .in.y = 8, .c = "abc" }, .a[0] = { 1, 2 } };
static int m[4][4] = { [1] = { 1, [3] = 2 }, [2][1] = 7, 8, [0 ... 0] = { [0 ... 3] = 9 } };
static int e[] = { [5] = 1, 2, [1] = 3, [3 ... 4] = 6 };
enum color { RED, GREEN, BLUE, COLORS };
static const char *const names[COLORS] = { [RED] = "red", [BLUE] = "blue", [GREEN] = "green" };
struct o { int x, y; } old = { x: 1, y: 2 }, old2 = { y: 5 };
int main(void) {
    struct q l = { .a[1].y = 4, 5, .n = 6, .z = { .in.y = 8, .c = "abc" }, .a[0] = { 1, 2 } };
    for (int i = 0; i < 3; i++) printf("%d,%d %d,%d\n", g.a[i].x, g.a[i].y, l.a[i].x, l.a[i].y);
    printf("%d %d %s %d %d\n", g.n, g.z.in.y, g.z.c, l.z.in.x, l.z.in.y);
    for (int i = 0; i < 16; i++) printf("%d", m[i / 4][i % 4]); puts("");
    for (unsigned i = 0; i < sizeof e / sizeof *e; i++) printf("%d", e[i]); puts("");
    for (int i = 0; i < COLORS; i++) puts(names[i]);
    int r[6] = { [1 ... 3] = 5, 6 }; for (int i = 0; i < 6; i++) printf("%d", r[i]); puts("");
    int k = 3; int rr[4] = { [0 ... 2] = k++, }; printf("%d %d %d\n", rr[0], rr[2], rr[3]);
    struct p pts[] = { [2] = { .y = 1 }, [0].x = 4, [1] = { 7 } }; printf("%zu %d %d %d\n", sizeof pts / sizeof *pts, pts[0].x, pts[1].x, pts[2].y);
    struct p ov = { .x = 1, .x = 2 }; printf("%d\n", ov.x);
    struct { int a[2][2]; } oo = { .a[0][1] = 2, .a[1] = { 3, 4 } }; printf("%d %d %d\n", oo.a[0][1], oo.a[1][0], oo.a[0][0]);
    printf("%d %d %d\n", old.y, old2.x, old2.y);
    union { int i; char c[4]; } un = { .c = { 1, 2 } }; printf("%d\n", un.i);
    return 0;
}
