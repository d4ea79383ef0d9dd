#include <stdio.h>
struct node { int v; struct node *l, *r; };
static struct node n1 = { 1 }, n2 = { .v = 2, .l = &n1 }, *roots[] = { [1] = &n2, [0] = &n1 };
static int depth(const struct node *n) { return n ? 1 + (depth(n->l) > depth(n->r) ? depth(n->l) : depth(n->r)) : 0; }
static const struct { const char *name; union { int i; double d; } u; enum { I, D } kind; } vals[] = { { "a", { 1 }, I }, { "b", { .d = 2.5 }, D } };
static int (*const fs[2][2])(const struct node *) = { { depth }, { [1] = depth } };
int main(void) { for (unsigned i = 0; i < 2; i++) printf("%s %g\n", vals[i].name, vals[i].kind == I ? vals[i].u.i : vals[i].u.d); printf("%d %d %d\n", depth(roots[1]), fs[0][0](&n2), fs[1][0] == 0); return 0; }
