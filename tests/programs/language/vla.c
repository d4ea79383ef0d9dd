#include <stdio.h>
#include <string.h>
static int total(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
static int star(int n, int a[*]);
static int star(int n, int a[n]) { return a[n - 1]; }
static size_t sz(int n, int (*p)[n]) { return sizeof *p; }
static int first(int n, int a[static n]) { return a[0]; }
static int side(int *k, int a[(*k)++]) { return *k; }
int main(void) {
    int n = 3, m = 4;
    int a[n][m]; memset(a, 0, sizeof a); a[2][3] = 5; a[1][0] = 2;
    printf("%d %zu %zu %zu\n", total(n, m, a), sizeof a, sizeof a[0], sizeof(int[n]));
    printf("%zu\n", sizeof(int[n][m + 1])); printf("%zu\n", sizeof(char[n++])); printf("%d\n", n);
    int b[2][m][2]; for (int i = 0; i < 2; i++) for (int j = 0; j < m; j++) for (int k = 0; k < 2; k++) b[i][j][k] = i * 100 + j * 10 + k;
    printf("%d %zu %zu\n", b[1][3][1], sizeof b[0], sizeof b[0][0]);
    int (*p)[m] = a; p++; printf("%d %zu\n", (*p)[0], sizeof *p);
    int (*pp)[2][m]; printf("%zu\n", sizeof *pp);
    typedef int row[m]; row r; m = 10; printf("%zu\n", sizeof r / sizeof *r); row *pr = &r; (*pr)[1] = 3; printf("%d %td\n", r[1], (char *)(pr + 1) - (char *)pr);
    char c[n]; strcpy(c, "abc"); printf("%s %d %zu\n", c, star(3, (int[]){ 1, 2, 3 }), sz(7, 0));
    for (int i = 1; i < 4; i++) { int v[i]; v[i - 1] = i; printf("%zu%d ", sizeof v, v[i - 1]); } puts("");
    int k = 1; printf("%d\n", first(2, (int[]){ 8, 9 })); printf("%d\n", side(&k, 0)); printf("%d\n", k);
    int i = 0; again:; int w[i + 1]; w[i] = i; if (++i < 4) goto again; printf("%zu\n", sizeof w);
    __typeof__(int[n]) tv; printf("%zu\n", sizeof tv);
    printf("%zu\n", sizeof(*(int (*)[n])0));
    struct { int x; } sv[n]; sv[n - 1].x = 4; printf("%d %zu\n", sv[n - 1].x, sizeof sv);
    return 0;
}
