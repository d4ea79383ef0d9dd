#include <stdlib.h>
/* backwards */
static const char *back(const char *s, const char *e) { while (e > s && *e != '/') e--; return e - 1; }
static const char *end(const char *s) { while (*s) s++; return s; }
int main(void) { char *b = malloc(3); if (!b) return 0; b[0]='a'; b[1]='b'; b[2]=0; const char *e = back(b, end(b)); int c = *e; free(b); return c; }
