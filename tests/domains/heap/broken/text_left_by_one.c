#include <stdlib.h>
/* goes one past the end of the text */
static const char *skip(const char *s) { while (*s && *s != ':') s++; return s + 1; }
static int count(const char *s) { int n = 0; while (*s) { s++; n++; } return n; }
int main(void) { char *b = malloc(3); if (!b) return 0; b[0]='a'; b[1]='b'; b[2]=0; int n = count(skip(b)); free(b); return n; }
