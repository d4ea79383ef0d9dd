// If both numbers are there, the second place holds what was read.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a = 3, b = 7, n = scanf("%d %d", &a, &b);
    assert(n != 2 || b == 7);
    return 0;
}
