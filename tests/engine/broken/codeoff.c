#include <assert.h>
int f(void) { return 1; }
int g(void) { return 2; }
int main(void) { char *p = (char *)f, *q = (char *)g; int hit = 0; for (int i = -64; i <= 64; i++) if (p + i == q) hit = 1; assert(!hit); return 0; }
