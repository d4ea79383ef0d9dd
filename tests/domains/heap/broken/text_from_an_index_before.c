#include <string.h>
#include <assert.h>
/* the same by an index that may be negative */
static size_t g(const char *s, int i) { if (i < -1 || i > 0) return 9; return strlen(s + i); }
int main(void) { char b[4]; b[0] = 0; b[1] = 'a'; b[2] = 0; b[3] = 0; size_t n = g(b + 1, -1); assert(n == 2); return 0; }
