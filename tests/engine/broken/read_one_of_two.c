// If only the first number is there, the second place keeps what it held.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a = 3, b = 7, n = scanf("%d , %d", &a, &b);
    if (n == 1)
        assert(b != 7);
    return 0;
}
