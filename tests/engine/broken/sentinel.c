#include <assert.h>
static void *sentinel = (void *)-1;
int main(void) { void *p = sentinel; if (p == (void*)-1) assert(0); return 0; }
