// Each turn reads another number.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int first = 0, x = 0;
    for (int i = 0; i < 30 && scanf("%d", &x) == 1; i++) {
        if (i == 0)
            first = x;
        assert(x == first);
    }
    return 0;
}
