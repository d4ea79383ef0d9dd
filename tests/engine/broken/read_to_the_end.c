// Reading may come to the end of the input, and leave a character for later.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 0;
    scanf("%d", &x);
    assert(!feof(stdin));
    return x;
}
