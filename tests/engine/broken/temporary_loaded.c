/* Only a temporary holds the inner block when the outer one is freed. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int freed(void *p) {
  free(p);
  return 1;
}
int main(void) {
  void **q = malloc(sizeof *q);
  if (!q) return 0;
  *q = malloc(1);
  if ((*q != 0) & freed(q)) return 0;
  return 0;
}
