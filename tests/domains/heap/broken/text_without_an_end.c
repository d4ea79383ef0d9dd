#include <string.h>
#include <stdlib.h>
/* not terminated */
static size_t len(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int main(void) { char *b = malloc(4); if (!b) return 0; b[0]='a'; b[1]='b'; b[2]='c'; b[3]='d'; size_t n = len(b); free(b); return (int)n; }
