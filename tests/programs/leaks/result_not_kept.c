// properties: leaks
#include <stdlib.h>
int main(void) {
    malloc(10); //! memory-leak
    return 0;
}
