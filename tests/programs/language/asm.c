#include <stdio.h>
#define barrier() __asm__ __volatile__("" : : : "memory")
#define hide(v) __asm__("" : "=r"(v) : "0"(v))
static int zero(int x) { int y; asm("xorl %0, %0" : "=r"(y) : "r"(x) : "cc"); return y * 0; }
int main(void) {
    int x = 5, y; register int r asm("ebx") = 3;
    barrier();
    asm("nop");
    __asm__ volatile("" : "+r"(x) : : "memory");
    if (x) asm volatile("" : : "r"(x), "r"(r));
    hide(x);
    asm("" : "=r"(y) : "0"(x + 1));
    asm volatile("pause" ::: "memory");
    printf("%d %d %d\n", x, y, zero(x));
    return 0;
}
