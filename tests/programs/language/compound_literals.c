#include <stdio.h>
struct p { int x, y; };
static struct p *gp = &(struct p){ 3, 4 };
static int *ga = (int[]){ 1, 2, 3 };
static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int take(struct p p) { return p.x * p.y; }
static const char *const *list = (const char *const[]){ "a", "b", 0 };
int main(void) {
    printf("%d %d\n", gp->x, ga[2]);
    printf("%d %d\n", sum((int[]){ 1, 2, 3, 4 }, 4), take((struct p){ .y = 5, .x = 6 }));
    int *q; for (int i = 0; i < 3; i++) { q = &(int){ i }; ++*q; printf("%d", *q); } puts("");
    struct p v = (struct p){ 1 }; v = (struct p){ .y = v.x + 1 }; printf("%d %d\n", v.x, v.y);
    (struct p){ 1, 2 }.x; printf("%d\n", ((struct p){ 8, 9 }).y);
    (int){ 5 }; char *s = (char[]){ "str" }; s[0] = 'S'; puts(s);
    printf("%zu %s\n", sizeof(int[]){ 1, 2, 3 }, list[1]);
    (*&(struct p){ 1, 2 }).x = 3;
    ((struct p *)&(struct p){ 4, 4 })->y++;
    static struct p st = (struct p){ 7, 8 }; printf("%d\n", st.y);
    return 0;
}
