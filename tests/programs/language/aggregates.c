#include <stddef.h>
#include <stdio.h>
#include <string.h>
struct point { int x, y; };
struct line { struct point a, b; char name[8]; };
union word { unsigned u; unsigned char b[4]; float f; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned long c : 40; _Bool d : 1; };
struct __attribute__((packed)) tight { char c; int i; short s; };
struct nest { int tag; union { struct { int lo, hi; }; long whole; }; struct { int k; } in[2]; };
static struct point add(struct point p, struct point q) { p.x += q.x; p.y += q.y; return p; }
static struct line make(int n) { struct line l = {{n, n + 1}, .b.y = n + 2, .name = "line"}; return l; }
static int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
static int grid[3][4] = {{1, 2}, [2] = {[1] = 5, 6}, [1][3] = 9};
static const char *words[] = {"zero", [3] = "three", "four"};
static int *into = &grid[1][2] + 1;
struct list { int v; struct list *next; };
static struct list third = {3, 0}, second = {2, &third}, first = {1, &second};
static char flat[2][3] = {"ab", {'c', 'd', 0}};
static struct point table[] = {1, 2, 3, 4, [5] = {.y = 6}};
static int ranges[10] = {[2 ... 4] = 7, 8, [9] = 1};
int main(void) {
    struct point p = {1, 2}, q = p, *r = &q; r->x = 10; (*r).y++;
    struct point s = add(p, add(q, (struct point){.y = 100}));
    printf("%d %d %d %d %d %d\n", p.x, p.y, q.x, q.y, s.x, s.y);
    struct line l = make(7), m = {0}; m = l; m.name[0] = 'L';
    printf("%s %s %d %d %d %d %d\n", l.name, m.name, make(3).b.y, m.a.x, m.a.y, m.b.x, m.b.y);
    union word w = {.f = 1.0f}; printf("%x %d %d\n", w.u, w.b[3], w.b[0]); w.b[3] = 0xc0; printf("%g\n", w.f);
    struct bits b = {.a = 9, .b = -3, .c = 1UL << 39, .d = 4}; b.a += 3; b.b++; b.c |= 5;
    printf("%d %d %lu %d %zu\n", b.a, b.b, (unsigned long)b.c, b.d, sizeof b);
    b.b = 31; b.a = b.b; printf("%d %d\n", b.a, b.b); printf("%d\n", (b.a = 12) + 0);
    printf("%zu %zu %zu %zu\n", sizeof(struct tight), offsetof(struct tight, s), sizeof(struct line), offsetof(struct nest, in[1].k));
    struct nest n = {1, {{2, 3}}, {{4}, {5}}}; printf("%d %d %d %lx %d\n", n.tag, n.lo, n.hi, n.whole, n.in[1].k);
    printf("%d %d %d\n", sum(&grid[0][0], 12), *into, grid[2][2]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) printf("%s ", words[i] ? words[i] : "-");
    int total = 0; for (struct list *x = &first; x; x = x->next) total = total * 10 + x->v;
    printf("%d %s %s %zu %d\n", total, flat[0], flat[1], sizeof table / sizeof *table, table[5].y + table[1].x);
    for (int i = 0; i < 10; i++) printf("%d", ranges[i]);
    int local[5] = {1, 2, 3}, copy[5]; memcpy(copy, local, sizeof copy); printf(" %d %d %d\n", copy[2], copy[4], sum(local, 5));
    int (*row)[4] = grid; row++; printf("%d %td\n", (*row)[3], &grid[2][1] - &grid[0][3]);
    char str[] = "con" "cat\0hidden", *e = str + sizeof str; printf("%s %td %c\n", str, e - str, 3["abcd"]);
    int vla = 4; int v[vla][2]; for (int i = 0; i < vla; i++) v[i][0] = i, v[i][1] = -i; printf("%zu %d\n", sizeof v, v[3][0] + v[3][1]);
    struct point *pp = (struct point[]){{1, 1}, {2, 2}}; printf("%d\n", pp[1].x);
    struct { int a; char c; } anon = {1, 'x'}, anon2; anon2 = anon; printf("%c\n", anon2.c);
    const char *f = __func__; printf("%s %d\n", f, (int)sizeof "four");
    struct line arr[2] = {{.name = "x"}, {{1, 2}, {3, 4}, "y"}}; arr[0] = arr[1]; printf("%s %d\n", arr[0].name, arr[0].b.x);
    return (1 ? p : q).x - 1;
}
