#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char text[12] = "abcdefg";
int main(void) {
    unsigned long x = ~0ul, y = 0x0102030405060708;
    unsigned n = __VERIFIER_nondet_uchar() % 9, m = __VERIFIER_nondet_uchar() % 4;
    memset(&x, 0, n);
    unsigned long old = x;
    memcpy(&x, &y, m);
    memcpy(text + m, &x, 8);
    memmove(text, text + m, n);
    unsigned char last[4];
    memcpy(last, text + 2, m);
    return (old == 0 || old == ~0ul) + text[3] + (int)(x >> 60) + (m == 3 ? last[2] : 0);
}
