#include <stdio.h>

static _Thread_local int a = 4; __thread int b; extern _Thread_local int c; _Thread_local int c = 9; int main(void) { static __thread int d = 2; a++; b--; d++; printf("%d %d %d %d\n", a, b, c, d); return 0; }
