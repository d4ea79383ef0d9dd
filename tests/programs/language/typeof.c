#include <stdio.h>
int g(void); typeof(g) h; int h(void) { return 4; }
int main(void) {
    int a[3] = { 1, 2, 3 }; typeof(a) b; for (int i = 0; i < 3; i++) b[i] = a[i]; printf("%d %zu\n", b[2], sizeof(typeof(a)));
    __typeof__(*a) c = 4; typeof(int *) p = &c; __auto_type d = 2.5; const typeof(c) e = 5; printf("%d %g %d\n", *p, d, e);
    typeof(&a[0]) q = a; typeof(h()) r = h(); printf("%d %d\n", q[1], r);
    typeof(1 ? 1L : 2) l = 1L << 40; printf("%ld\n", l); __typeof(char) ch = 300; printf("%d\n", ch);
    typeof(a[c = 9]) unused = 0; printf("%d %d\n", c, unused);
    __auto_type fn = h; printf("%d\n", fn()); __auto_type str = "abc"; puts(str);
    return 0;
}
