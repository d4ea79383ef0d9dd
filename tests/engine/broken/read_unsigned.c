// What is read into it may be any number of its type.
#include <assert.h>
#include <stdio.h>
int main(void) {
    unsigned short s = 1;
    unsigned char c = 2;
    if (scanf("%hu%c", &s, &c) == 2)
        assert(s < 40000 || c < 200);
    return 0;
}
