#include <assert.h>
#include <stdint.h>
int main(void) { char a[16]; char *p = a + 8; long i = -8; char *q = (char *)((uintptr_t)p + (uintptr_t)i); assert(q != a); return 0; }
