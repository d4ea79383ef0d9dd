#include <stdint.h>
int main(void) { char a[16]; char *q = (char *)((uintptr_t)a + 100); q[-100] = 1; return 0; }
