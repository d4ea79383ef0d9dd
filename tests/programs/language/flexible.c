#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct msg { int n; char text[]; };
struct old { int n; int v[0]; };
struct one { int n; int v[1]; };
static struct msg hello = { 5, "hello" };
static struct { int n; short v[]; } shorts = { 3, { 1, 2, 3 } };
int main(void) {
    struct msg *m = malloc(sizeof *m + 10); m->n = 10; strcpy(m->text, "012345678"); printf("%s %zu\n", m->text, sizeof *m);
    struct old *o = malloc(sizeof *o + 3 * sizeof(int)); for (int i = 0; i < 3; i++) o->v[i] = i * i; printf("%d %zu\n", o->v[2], sizeof *o);
    struct one *p = malloc(sizeof *p + 2 * sizeof(int)); p->v[2] = 7; printf("%d\n", p->v[2]);
    printf("%s %d %d\n", hello.text, shorts.v[2], shorts.n);

    free(m); free(o); free(p); return 0;
}
