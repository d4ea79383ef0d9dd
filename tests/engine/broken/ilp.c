#include <assert.h>
int main(void) { int a; unsigned u = (unsigned)&a; int i = (int)&a; assert((long long)i == (long long)u); return 0; }
