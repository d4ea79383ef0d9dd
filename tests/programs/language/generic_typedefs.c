#include <stdio.h>
#include <stdint.h>
typedef struct { int v; } S; typedef int myint; typedef S *SP; typedef enum { E0 } En;
#define G(x) _Generic((x), S *: 1, const S*: 2, S: 3, myint: 4, int(*)(int): 5, uint64_t: 6, char[3]: 8, volatile int *: 9, SP *: 10, default: 7)
#define N(x) _Generic((x), uint8_t: "u8", int8_t: "i8", uint16_t: "u16", int32_t: "i32", size_t: "sz", long long: "ll", char: "char", unsigned char *: "ucp", default: _Generic((x), void (*)(void): "fn", default: "?"))
static int f1(int x) { return x; } static void fn(void) {}
int main(void) { S s = {1}; const S *cs = &s; SP sp = &s; unsigned long u = 1; char *p = 0; volatile int vi; En e = E0; uint8_t u8 = 1; int8_t i8 = 1; uint16_t u16 = 1; char c = 1; printf("%d%d%d%d%d%d%d%d%d\n", G(s), G(cs), G(sp), G(f1), G(u), G(p), G(&vi), G(&sp), G(3)); printf("%s %s %s %s %s %s %s %s %s\n", N(u8), N(i8), N(u16), N(1), N(sizeof 1), N(1LL), N(c), N((unsigned char *)0), N(fn)); return 0; }
