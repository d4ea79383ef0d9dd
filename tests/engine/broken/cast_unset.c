#include <assert.h>
int main(void) { unsigned char a[1]; signed char b[1]; b[0] = a[0]; if (b[0] == 5 || b[0] < 5) { signed char c = b[0]; assert(c <= 5); } return 0; }
