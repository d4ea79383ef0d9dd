/* The result of a call that nothing takes is lost, and so is a temporary after its last use. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void *give(void) {
  void *p = malloc(8);
  return p;
}
int main(void) {
  if (__VERIFIER_nondet_int()) give();
  return 0;
}
