#include <assert.h>
static void f(char *q, int *p) { *p = 48; *q = 22; ((short *)p)[1] = 7; }
int main(void) { int x = 1; f((char *)&x, &x); assert(((short *)&x)[0] == 48); return 0; }
