#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
#define foreach(i, n) for (int i = 0, _o = 1; i < (n) && _o; i++, _o = 1)
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define LOG(fmt, ...) printf("%s:%d " fmt "\n", __func__, __LINE__ > 0, ##__VA_ARGS__)
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
#define COUNT_(a, b, c, n, ...) n
static int CAT(fn, 1)(int x) { return x; }
int main(void) { foreach (i, 3) printf("%d", i); puts(XSTR(CAT(a, b))); LOG("none"); LOG("%d", 4); printf("%d %d\n", COUNT(1, 2), fn1(3)); printf("%s %d\n", __FILE__[0] ? "f" : "", __COUNTER__ + __COUNTER__); _Pragma("GCC diagnostic ignored \"-Wall\"") return 0; }
