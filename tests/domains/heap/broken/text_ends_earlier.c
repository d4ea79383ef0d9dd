#include <stdlib.h>
#include <string.h>
#include <assert.h>
/* the zero is found in another byte than told */
static size_t l(const char *s) { return strlen(s); }
int main(void) { char b[6]; int c = 0; b[0]='a'; b[1]='b'; b[2] = (char)(c ? 'x' : 0); b[3]='d'; b[4]=0; b[5]=0; assert(l(b) == 4); return 0; }
