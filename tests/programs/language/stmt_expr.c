#include <stdio.h>
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define swap(a, b) do { __auto_type _t = (a); (a) = (b); (b) = _t; } while (0)
struct p { int x, y; };
static int f(int n) { return ({ if (n < 0) return -1; n * 2; }); }
int main(void) {
    int i = 3, j = 5; printf("%d %g\n", max(i++, j--), max(1.5, 2.5)); swap(i, j); printf("%d %d\n", i, j);
    struct p v = ({ struct p t = { 1, 2 }; t.x += 5; t; }); printf("%d %d\n", v.x, v.y);
    printf("%d %d\n", f(-5), f(4));
    int s = ({ int t = 0; for (int k = 0; k < 5; k++) { if (k == 3) continue; t += k; } t; }); printf("%d\n", s);
    ({ printf("void\n"); }); ({ ; }); ({});
    int z = ({ int y = 4; ({ int x = y; x + 1; }) + y; }); printf("%d\n", z);
    int w = ({ goto in; in: 5; }); printf("%d\n", w);
    for (int k = 0; k < ({ int q = 2; q; }); k++) printf("%d", ({ k; })); puts("");
    int arr = ({ int a[3] = { 1, 2, 3 }; a[1]; }); printf("%d\n", arr); printf("%d\n", ({ struct p t = { 3, 4 }; t; }).y);
    if (({ int t = i; t; })) puts("yes");
    return 0;
}
