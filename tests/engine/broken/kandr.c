#include <assert.h>
int f();
int main(void) { f(1,2,3); return 0; }
int f(x) int x; { return x; }
