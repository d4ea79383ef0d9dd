#include <stdlib.h>
static void hang(int **slot) { *slot = 0; for (;;) { } }
int main(void) { int *p = malloc(4); if (!p) return 0; hang(&p); return 0; }
