#include <string.h>
int main(void) {
    char small[4];
    strcpy(small, "four"); //! out-of-bounds
    return small[0];
}
