/* Statements: loops with missing parts, switch in all forms, goto in and out of scopes. */
#include <stdio.h>

#define FOREVER for (;;)
#define TIMES(n) for (int t_ = 0; t_ < (n); t_++)

static void duff(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

static int classify(long x)
{
    switch (x) {
        int inner;
    case -1: inner = 1; return inner;
    case 0 ... 9: return 2;
    case 10: case 11: x++; /* fall through */
    case 12: return (int)x;
    default: { int again = 5; if (x > 100) break; return again; }
    case 1L << 40: return 7;
    }
    return -2;
}

static int jumps(int n)
{
    int total = 0;
again:
    {
        int a[2] = { n, 1 };
        int *p = a;
        total += p[0] + p[1];
        if (n-- > 0)
            goto again;
    }
    if (total > 1000)
        goto inside;
    {
        int b[1];
        b[0] = 3;
        if (0) {
inside:
            b[0] = 4;
        }
        total += b[0];
    }
    return total;
}

int main(void)
{
    int i, n = 0;
    for (;;) { if (++n == 4) break; }
    FOREVER { if (++n > 8) break; else continue; }
    for (i = 0; i < 3;) i++;
    for (; i < 6; i++) ;
    for (int q = 0;; q++) if (q == 5) { n += q; break; }
    for (; n < 20;) n += 3;
    for (i = 9;;) { i--; if (!i) break; }
    TIMES(3) n++;
    while (n > 15) n -= 2;
    do n++; while (n < 18);
    do { if (n == 20) break; n++; if (n % 2) continue; } while (n < 30);
    printf("%d %d\n", i, n);
    char to[12] = {0};
    duff(to, "hello world", 11);
    puts(to);
    printf("%d %d %d %d %d %d %d\n", classify(-1), classify(5), classify(10), classify(12),
           classify(50), classify(1L << 40), classify(1000));
    printf("%d\n", jumps(3));
    int outer = 0;
    for (i = 0; i < 4; i++) {
        switch (i) {
        case 2: continue;
        case 3: goto done;
        default: break;
        }
        int here = i;
        outer += here + 10;
    }
done:
    printf("%d\n", outer);
    if (n) if (0) puts("no"); else puts("else binds to the inner if");
    switch (n) default: puts("switch without braces");
    switch (3) { puts("never"); }
    int x = ({ int y = 4; y += n; y * 2; });
    printf("%d\n", x);
    { ; }
    return ({ goto out; 1; });
out:
    return 42;
}
