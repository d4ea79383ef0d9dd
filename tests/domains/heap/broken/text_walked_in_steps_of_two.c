#include <stdlib.h>
/* loop in steps of two */
static int pairs(const char *s) { int n = 0; while (*s) { s += 2; n++; } return n; }
int main(void) { char *b = malloc(4); if (!b) return 0; b[0]='a'; b[1]='b'; b[2]='c'; b[3]=0; int n = pairs(b); free(b); return n; }
