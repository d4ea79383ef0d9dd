#include <stdlib.h>
static int *fresh(void) { int *p = malloc(4); return p; }
int main(void) {
  int *kept = 0;
  for (int i = 0; i < 100; i++) { kept = fresh(); }
  free(kept);
  return 0;
}
