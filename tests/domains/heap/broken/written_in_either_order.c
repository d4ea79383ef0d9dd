#include <assert.h>
static void f(char *p, int *q, int c) { if (c) { *p = 2; *q = 1; } else { *q = 1; *p = 2; } }
int main(void) { int x = 0; f((char *)&x, &x, 0); assert(x == 1); return 0; }
