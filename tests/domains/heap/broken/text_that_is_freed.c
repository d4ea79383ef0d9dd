#include <stdlib.h>
#include <string.h>
/* the text is freed */
static size_t l(char *s) { free(s); return strlen(s); }
int main(void) { char *b = malloc(4); if (!b) return 0; strcpy(b, "abc"); return (int)l(b); }
