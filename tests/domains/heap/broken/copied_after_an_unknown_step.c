#include <assert.h>
struct pair { int x, y; };
static int set(int *p, char *q) { *p = 1; q[1] = 2; return *p; }
int main(void) {
    struct pair a = {1, 2};
    set(&a.x, (char *)&a.x);
    struct pair b = a;
    assert(b.x == 1);
    return 0;
}
