// What is read twice need not be the same.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a = 0, b = 0;
    scanf("%d", &a);
    scanf("%d", &b);
    assert(a == b);
    return 0;
}
