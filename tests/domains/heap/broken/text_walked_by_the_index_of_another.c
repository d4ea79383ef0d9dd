#include <stdlib.h>
/* two texts, an index that belongs to one */
static int same(const char *a, const char *b) { int i; for (i = 0; a[i]; i++) if (a[i] != b[i] && b[i]) return 0; return b[i] == 0; }
int main(void) { char *a = malloc(4), *b = malloc(2); if (!a || !b) { free(a); free(b); return 0; } a[0]='a'; a[1]='b'; a[2]='c'; a[3]=0; b[0]='a'; b[1]=0; int r = same(a, b); free(a); free(b); return r; }
