#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { unsigned long x = ~0ul, y = 0; unsigned n = __VERIFIER_nondet_uchar(); if (n > 8) return 0;
  memcpy(&x, &y, n); assert(x == 0 || x == ~0ul); return 0; }
