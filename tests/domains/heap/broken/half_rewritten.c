#include <assert.h>
static void f(int *p) { *p = 48; ((short *)p)[1] = 7; }
int main(void) { int x = 1; f(&x); assert(((short *)&x)[0] == 1); return 0; }
