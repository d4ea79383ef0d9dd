#include <stdlib.h>
/* text changed in between, through another name */
static char *end(char *s) { while (*s) s++; return s; }
static void poke(char *p, char *q) { char *e = end(q); p[3] = 'x'; e = end(q); *e = 'y'; end(q); }
int main(void) { char *b = malloc(4); if (!b) return 0; b[0]='a'; b[1]='b'; b[2]='c'; b[3]=0; poke(b, b); free(b); return 0; }
