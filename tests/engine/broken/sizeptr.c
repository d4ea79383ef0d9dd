#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
int a;
int main(void) { size_t n = 8; size_t m = (size_t)&a; size_t k = 0; if (__VERIFIER_nondet_bool()) k = n; else k = m;
  size_t *h = malloc(16); *h = k; 
  char *p = malloc(*h); if (!p) return 0; size_t s = *h; assert(s == 8); return 0; }
