// Overrun through a chain; bound is an argument
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

static void fill(char *b, int n) { for (int i = 0; i < n; i++) b[i] = 'x'; /*L*/ }
static void wrap(char *b, int n) { fill(b + 1, n - 1); }
int main(void) { char *b = malloc(8); if (!b) return 0; b[0] = 0;
#ifdef BUG
  wrap(b, 9);
#else
  wrap(b, 8);
#endif
  free(b); return 0; }
