#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void cp(char *d, const char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
int main(void) { char b[4] = {1, 2, 3, 4}; cp(b + 1, b, 3); assert(b[3] == 3); return 0; }
