#include <stdlib.h>
#include <string.h>
#include <assert.h>
/* lengths after a zero was put in */
static size_t cut(char *s) { size_t n = strlen(s); s[1] = 0; return n; }
int main(void) { char b[8] = "abcdef"; size_t n = cut(b); assert(strlen(b) == n); return 0; }
