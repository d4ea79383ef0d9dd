#include <stdlib.h>
#include <string.h>
/* off by one: no room for the zero */
static char *dup(const char *s) { size_t n = strlen(s); char *p = malloc(n); if (!p) return 0; size_t i; for (i = 0; i <= n; i++) p[i] = s[i]; return p; }
int main(void) { char *p = dup("abc"); free(p); return 0; }
