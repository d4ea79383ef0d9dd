#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { unsigned long x = ~0ul; unsigned n = __VERIFIER_nondet_uchar(); if (n > 8) return 0;
  memset(&x, 0, n); assert(x == 0 || x == ~0ul); return 0; }
