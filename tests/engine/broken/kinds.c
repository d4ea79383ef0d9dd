#include <assert.h>
static int f(double d) { return 3; }
int main(void) { int (*p)(int) = (int (*)(int)) f; return p(4); }
