#include <stdio.h>
enum e { NEG = -5, ZERO = 0, BIG = 0x7fffffff };
static int f(int n) { int r = 0; switch (n) { case 0: r++; case 1: r++; /* fall through */ case 2 ... 5: r += 10; break; case -3 ... -1: return -1; default: r = 99; } return r; }
static void duff(char *to, const char *from, int count) { int n = (count + 7) / 8; switch (count % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++; case 5: *to++ = *from++; case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--n > 0); } }
static int ll(long long v) { switch (v) { case 1LL << 40: return 1; case -1: return 2; case 0xffffffffLL: return 3; } return 0; }
static int ch(unsigned char c) { switch (c) { case 'a' ... 'z': return 1; case '\xff': return 2; case 255: return 3; } return 0; }
static int en(enum e x) { switch (x) { case NEG: return 1; case ZERO: return 2; case BIG: return 3; } return 4; }
static int odd(int n) { int i = 0; switch (n) for (i = 10; i < 12; i++) { case 1: if (i == 0) i = 5; } return i; }
static int nodef(int n) { switch (n) { int hidden; case 1: hidden = 5; return hidden; } return 0; }
static int just(int n) { switch (n) case 3: return 1; switch (n) default: return 2; }
static int mid(int n) { switch (n) { default: n = 7; case 1: n += 100; break; case 2: n = 0; } return n; }
static int un(unsigned long v) { switch (v) { case -1UL: return 1; case 5: return 2; } return 3; }
int main(void) {
    for (int i = -4; i < 8; i++) printf("%d ", f(i)); puts(""); char b[20] = { 0 }; duff(b, "hello, duff device", 19); puts(b);
    printf("%d%d%d%d\n", ll(1LL << 40), ll(-1), ll(0xffffffffLL), ll(7)); printf("%d%d%d\n", ch('q'), ch(255), ch('A')); printf("%d%d%d%d\n", en(NEG), en(ZERO), en(BIG), en(3));
    printf("%d %d\n", odd(1), odd(2)); printf("%d %d %d %d\n", nodef(1), nodef(2), just(3), just(4)); printf("%d %d %d\n", mid(1), mid(2), mid(3)); printf("%d%d%d\n", un(-1), un(5), un(6)); switch (1) { } switch (({ int z = 2; z; })) { case 2: puts("two"); } 
    for (int i = 0; i < 5; i++) { switch (i) { case 1: continue; case 3: goto out; } printf("%d", i); } out: puts(""); return 0;
}
