#include <assert.h>
int main(void) { unsigned char a[1]; unsigned char b[1]; b[0] = a[0]; if (b[0] <= 5) { assert(b[0] <= 5); } return 0; }
