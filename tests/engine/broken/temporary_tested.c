#include <stdlib.h>
static void *same(void *p) { return p; }
int main(void) {
  if (same(malloc(4))) return 0;
  return 0;
}
