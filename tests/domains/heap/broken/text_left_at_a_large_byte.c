#include <stdlib.h>
/* signed and unsigned views; a byte 0 in the middle; the loop stops at 0x80 */
static const unsigned char *g(const unsigned char *s) { while (*s && *s < 0x80) s++; return s; }
int main(void) { unsigned char *b = malloc(2); if (!b) return 0; b[0] = 'a'; b[1] = 0x80; int c = g(b)[1]; free(b); return c; }
