// The number takes the place of the only pointer to a block.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    union { char *text; long number; } u;
    u.text = malloc(4);
    scanf("%ld", &u.number);
    return 0;
}
