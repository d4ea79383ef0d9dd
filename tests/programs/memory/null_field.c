#include <stddef.h>
struct s { int a; int b; };
static int get(struct s *p) {
    return p->b; //! null-dereference
}
int main(void) { return get(NULL); }
