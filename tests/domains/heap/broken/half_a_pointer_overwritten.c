#include <stdlib.h>
static void spoil(int *half) { *half = 7; for (int i = 0; i < 3; i++) { } }
int main(void) { int *p = malloc(4); if (!p) return 0; spoil((int *)&p); return 0; }
