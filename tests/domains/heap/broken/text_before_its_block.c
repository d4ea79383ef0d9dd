#include <stdlib.h>
#include <string.h>
/* a text that starts before the block */
int main(void) { char *b = malloc(4); if (!b) return 0; memset(b, 0, 4); size_t n = strlen(b - 1); free(b); return (int)n; }
