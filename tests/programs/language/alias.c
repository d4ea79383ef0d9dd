#include <stdio.h>
int real(void) { return 6; } int aliased(void) __attribute__((alias("real"))); static int hidden(int x) { return x + 1; } int shown(int) __attribute__((weak, alias("hidden")));
int __attribute__((weak)) weak_one(void) { return 5; } extern __typeof(real) third __attribute__((alias("real"), visibility("hidden")));
int counter = 4; extern int same __attribute__((alias("counter")));
int main(void) { int (*p)(void) = aliased; same++; printf("%d %d %d %d %d %d\n", aliased(), shown(3), weak_one(), third(), p(), counter); return p == real ? 0 : 1; }
