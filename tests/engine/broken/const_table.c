#include <assert.h>
static int x; static int *const tab = &x;
static int get(void) { return *tab; }
static void set(void) { *tab = 7; }
int main(void) { x = 5; int r = get(); assert(r == 0); return 0; }
