#include <stdlib.h>
/* the first byte is looked at, then written, then looked at */
static int f(char *s) { if (!s[0]) return 0; s[0] = 'x'; while (*s) s++; s[1] = 'y'; return 1; }
int main(void) { char *b = malloc(2); if (!b) return 0; b[0]='a'; b[1]=0; f(b); free(b); return 0; }
