// An int does not fit where a char is.
#include <stdio.h>
int main(void) {
    char c = 0;
    scanf("%d", (int *)&c);
    return c;
}
