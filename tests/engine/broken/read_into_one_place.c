// The second number goes to where the first one went.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a = 0, b = 0;
    if (scanf("%d", &b) == 1 && scanf("%d %d", &a, &a) == 2)
        assert(a <= b);
    return 0;
}
