// Each call reads another number.
#include <assert.h>
#include <stdio.h>
static int next(void) {
    int x = 0;
    if (scanf("%d", &x) != 1)
        return getchar();
    return x;
}
int main(void) {
    assert(next() == next());
    return 0;
}
