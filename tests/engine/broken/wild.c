#include <assert.h>
int main(void) { char *p = (char *)8; if (p - 8 == 0) assert(0); return 0; }
