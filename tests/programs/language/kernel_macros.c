#include <stdio.h>
#define same(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + sizeof(struct { int : -!!same((a), &(a)[0]); }))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define min(a, b) __extension__ ({ __typeof__((a)) _a = (a); __typeof__((b)) _b = (b); (void)(&_a == &_b); _a < _b ? _a : _b; })
#define BUILD_BUG_ON(c) ((void)sizeof(char[1 - 2 * !!(c)]))
#define likely(x) __builtin_expect(!!(x), 1)
#define ACCESS(t, m) ((size_t)&((t *)0)->m)
struct s { int a; long b[3]; };
int main(void) { int arr[5] = {1,2,3,4,5}; int x = 3; BUILD_BUG_ON(sizeof(int) != 4); printf("%zu %d %d %d %zu\n", ARRAY_SIZE(arr), READ_ONCE(x), min(x, 7), likely(x > 2), ACCESS(struct s, b[2])); if (same(x, arr[0])) puts("same"); if (!same(x, &x)) puts("differ"); return 0; }
