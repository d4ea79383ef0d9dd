#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { char *q = 0; int i = __VERIFIER_nondet_uchar(); if (i > 9) return 0; 
  for (int k = 0; k < 2; k++) { char buf[10]; if (k == 0) { q = &buf[i]; } if (q == &buf[i]) { } else { if (k == 0) return 0; assert(0); } }
  return 0; }
