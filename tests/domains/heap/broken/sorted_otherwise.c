#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { int v[5]; for (int i = 0; i < 5; i++) v[i] = 5 - i; for (int i = 0; i < 4; i++) for (int j = 0; j < 4 - i; j++) if (v[j] > v[j + 1]) swap(&v[j], &v[j + 1]); assert(v[0] == 2); return 0; }
