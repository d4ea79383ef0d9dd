// properties: memory-safety uninitialised
#include <string.h>
struct s { char c; int i; };
int main(void) {
    struct s a, b, d;
    a.c = 1;
    b = a;
    memcpy(&d, &b, sizeof d);
    unsigned char *from = (unsigned char *)&d, *to = (unsigned char *)&a;
    for (unsigned i = 0; i < sizeof d; i++)
        to[i] = from[i];
    return a.c - 1;
}
