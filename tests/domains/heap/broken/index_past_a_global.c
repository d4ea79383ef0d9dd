#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int tab[3];
static void set(int i) { tab[i] = 5; }
int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0 || k > 3) return 0; set(k); return 0; }
