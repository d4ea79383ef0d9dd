#include <assert.h>
static void f(short *p, short *q, int c) { if (c) { *p = 2; *q = 1; } else { *q = 1; *p = 2; } }
int main(void) { char b[4] = {0, 0, 0, 0}; f((short *)b, (short *)(b + 1), 0); assert(*(short *)(b + 1) == 1); return 0; }
