#include <string.h>
#include <assert.h>
/* a zero in front of where the caller's pointer leads */
static size_t g(const char *s) { return strlen(s - 1); }
int main(void) { char b[4]; b[0] = 0; b[1] = 'a'; b[2] = 0; b[3] = 0; size_t n = g(b + 1); assert(n == 2); return 0; }
