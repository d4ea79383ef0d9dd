#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
 if (y != 0) return 0; 
 if ((x / y < z)) { if (!(x / y < z)) assert(0); } return 0; }
