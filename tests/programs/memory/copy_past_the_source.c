#include <string.h>
int main(void) {
    char from[4] = "abc", to[8];
    memcpy(to, from, 5); //! out-of-bounds
    return to[0];
}
