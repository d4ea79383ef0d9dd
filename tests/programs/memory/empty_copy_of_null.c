#include <string.h>
int main(void) {
    char *nothing = 0, *other = 0;
    memcpy(nothing, other, 0);
    memset(nothing, 1, 0);
    return 0;
}
