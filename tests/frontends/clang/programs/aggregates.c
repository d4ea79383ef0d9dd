/* Structs, unions, arrays, bit-fields, and every form of initialiser. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
union number { int i; float f; unsigned char bytes[8]; };
struct flags { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; unsigned : 0; unsigned e : 7; };
struct nested { int head; struct { int in; union { int left; char right; }; }; struct point p[2]; };
struct tail { int n; char rest[]; };
struct empty { };

static struct point make(int x, int y) { return (struct point){ x, y }; }
static struct point swap(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
static int sum(struct line l) { l.from.x++; return l.from.x + l.from.y + l.to.x + l.to.y; }
struct big { char data[40]; };
static struct big fill(char c) { struct big b; memset(&b, c, sizeof b); return b; }

int table[3][2] = { 1, 2, { 3 }, 5 };
struct line lines[] = { { { 1, 2 }, { 3, 4 }, "first" }, { 5, 6, 7, 8, "second" }, [3] = { .name = "fourth", .to.y = 9 } };
int sparse[] = { [5] = 1, 2, [1] = 7, 8 };
int ranged[8] = { [1 ... 3] = 4, [6 ... 7] = 5 };
int grid[3][4] = { [1] = { [2] = 1 }, [2][3] = 6, [0 ... 0][1 ... 2] = 8 };
char text[] = "ab\0cd" "ef", fixed[3] = "xyz", padded[6] = "q", braced[] = { "in braces" };
int wide[] = L"w\x3b1z";
union number un = { .f = 1.5f };
struct nested ne = { 1, { 2, { .right = 'r' } }, { { 3, 4 }, { .y = 5 } } };
int *inside = &table[1][0] + 1, *end = table[2] + 2;
struct point *second = &lines[1].to;
const char *strings[] = { "one", &"two"[1], 0 };
int (*functions[2])(const char *) = { puts, &puts };
struct point literal = (struct point){ 11, 12 };
int *hidden = (int[]){ 21, 22, 23 };
long difference = (char *)&lines[1] - (char *)&lines[0];
size_t where = offsetof(struct nested, p[1].y);
int tentative;
int tentative;
extern int later;
int later = 77;

int main(void)
{
    struct line l = { .name = "local", .from = make(1, 2) }, copy;
    copy = l;
    copy.to = swap(copy.from);
    printf("%d %d %s %d\n", copy.to.x, copy.to.y, copy.name, sum(copy));
    printf("%d %d %d\n", make(5, 6).y, swap(swap(make(7, 8))).x, (l = copy).to.x);
    printf("%d %d %d %d %d %d\n", table[0][1], table[1][0], table[1][1], table[2][0], *inside, *(end - 2));
    printf("%s %s %d %d %zu\n", lines[1].name, lines[3].name, lines[3].to.y, lines[2].from.x, sizeof lines);
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++) printf("%d ", sparse[i]);
    for (int i = 0; i < 8; i++) printf("%d ", ranged[i]);
    for (int i = 0; i < 12; i++) printf("%d ", grid[i / 4][i % 4]);
    printf("\n%zu %s %s %.3s %s %s\n", sizeof text, text, text + 3, fixed, padded, braced);
    printf("%d %d %zu\n", wide[0], wide[1], sizeof wide);
    printf("%.2f %d %d %c %d\n", un.f, ne.head, ne.in, ne.right, ne.p[1].y);
    printf("%d %s %s %d\n", second->x, strings[0], strings[1], strings[2] == NULL);
    functions[0]("called"); (*functions[1])("also");
    printf("%d %d %ld %zu %d %d\n", literal.y, hidden[2], difference, where, tentative, later);

    struct flags f = { 5, -3, 1ull << 39, 1 };
    f.a += 4; f.b--; f.c++; f.e = 300;
    printf("%d %llu %d %d %d\n", f.b, (unsigned long long)f.c, f.d, f.e, f.d ? (f.a = 15) : 0);
    printf("%d %d %zu\n", f.a - 10 < 0, f.b * 4, sizeof f);

    union number n = { 0 };
    n.i = 0x41424344;
    printf("%c %c\n", n.bytes[0], n.bytes[3]);
    int partial[6] = { 1, 2 }, zero[3] = { 0 }, gnu[4] = {};
    printf("%d %d %d\n", partial[5], zero[2], gnu[3]);
    struct nested local = { .p[1].x = 3, 4, .head = 1, .left = 6 };
    printf("%d %d %d %d %d\n", local.p[1].x, local.p[1].y, local.head, local.left, local.p[0].x);
    char here[8] = "abc", exact[3] = "abc";
    printf("%s %d %c\n", here, here[7], exact[2]);
    struct big b = fill('z'), c;
    c = b;
    printf("%c %d\n", c.data[39], fill('y').data[3]);
    struct point points[2] = { make(1, 2), { 3 } }, *p = points + 1;
    p->y = p[-1].y + (*p).x;
    printf("%d %d\n", points[1].y, (int)(p - points));
    for (int i = 0; i < 2; i++) { struct point *q = &(struct point){ i, i * i }; printf("%d ", q->x + q->y); }
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = m;
    printf("%d %d %zu\n", row[1][2], *(*(m + 1) + 1), sizeof *row);
    struct tail *t = __builtin_alloca(sizeof *t + 4);
    strcpy(t->rest, "abc"); t->n = 3;
    printf("%zu %s %zu\n", sizeof(struct tail), t->rest, sizeof(struct empty));
    struct { struct point a; } outer = { make(8, 9) }, conditional = 1 ? outer : outer;
    printf("%d %d\n", conditional.a.y, (0, outer).a.x);
    return 0;
}
