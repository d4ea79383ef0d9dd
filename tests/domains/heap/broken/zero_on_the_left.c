#include <assert.h>
int main(void) { int b; if (0 == b) assert(0); return 0; }
