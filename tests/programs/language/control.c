#include <stdio.h>
static int kind(int c) {
    switch (c) {
    case 0: return 100;
    case 1:
    case 2: c += 10;
    case 3: c++; break;
    case 10 ... 19: c = -c; break;
    default: c = 77;
    case 50: c *= 2;
    }
    return c;
}
static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}
static int jump(int n) {
    int i = 0, s = 0;
top:
    if (i >= n) goto done;
    { int square = i * i; s += square; if (square > 20) goto skip; s++; }
skip:
    i++;
    goto top;
done:
    return s;
}
static int into(int n) {
    int r = 0;
    if (n) goto inside;
    while (r < 5) {
        r += 2;
inside:
        r += 1;
    }
    return r;
}
int main(void) {
    for (int i = -1; i < 12; i++) printf("%d ", kind(i));
    printf("%d\n", kind(50));
    char a[12] = "", b[] = "hello duffs";
    duff(a, b, 11); printf("%s\n", a);
    printf("%d %d %d\n", jump(7), into(0), into(1));
    int n = 0;
    for (;;) { if (++n > 5) break; if (n == 2) continue; printf("%d,", n); }
    for (; n < 8;) n++;
    for (int i = 0, j = 10; i < j; i++, j--) n += j - i;
    do n--; while (n > 20);
    while (n --> 15);
    printf("%d\n", n);
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 1) continue; if (i == 1) break; printf("%d%d ", i, j); }
    switch (n) { int unused; case 1: unused = 1; printf("%d", unused); }
    switch (3) default: printf("only default\n");
    if (n) ; else printf("no");
    int k = ({ int t = n; t * 2; });
    printf("%d %d\n", k, n ?: 5);
    switch (-5LL) { case -5: printf("negative\n"); break; }
    unsigned char uc = 200; switch (uc) { case 200: printf("uc\n"); }
    { goto end; }
end:
    return 0;
}
