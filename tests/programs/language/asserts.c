#include <assert.h>
#include <stdio.h>
_Static_assert(sizeof(int) == 4, "int"); static_assert(1, "x"); struct s { int a; _Static_assert(1, "in struct"); int b; };
int main(void) { _Static_assert(sizeof(long) >= 4, "l"); struct s s = { 1, 2 }; printf("%d\n", s.b); static_assert(2 > 1, ""); return 0; }
