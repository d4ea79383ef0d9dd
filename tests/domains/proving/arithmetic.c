/* Ranges and remainders through the operators of C. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)
extern unsigned char __VERIFIER_nondet_uchar(void);

static int between(int low, int high) {
  int x = __VERIFIER_nondet_int();
  if (x < low || x > high) return low;
  return x;
}

static void sums(void) {
  int a = between(3, 10), b = between(-2, 5);
  assert(a + b >= 1 && a + b <= 15);
  doubt(a + b > 1); //-
  assert(a - b >= -2 && a - b <= 12);
  doubt(a - b < 12); //-
  assert(-a <= -3 && -a >= -10);
  doubt(-b > -5); //-
  assert(~a <= -4);
  doubt(~a < -4); //-
}

static void products(void) {
  int a = between(-3, 4), b = between(-5, 2);
  assert(a * b >= -20 && a * b <= 15);
  doubt(a * b < 15); //-
  doubt(a * b > -20); //-
  assert(3 * a >= -9 && 3 * a <= 12);
  assert((6 * b + 1) % 3 != 0);
  assert((6 * b + 1) % 2 != 0);
  doubt((6 * b + 3) % 5 != 0); //-
}

static void quotients(void) {
  int a = between(-17, 20), b = between(2, 4);
  assert(a / b >= -8 && a / b <= 10);
  doubt(a / b < 10); //-
  doubt(a / b > -8); //-
  assert(a % b > -4 && a % b < 4);
  doubt(a % b < 3); //-
  assert(a % 5 >= -4 && a % 5 <= 4);
  int c = between(0, 100);
  assert(c % 7 >= 0 && c % 7 < 7);
  doubt(c % 7 != 6); //-
  assert(c / 10 <= 10);
  doubt(c / 10 < 10); //-
}

static void shifts(void) {
  int a = between(1, 9), s = between(0, 3);
  assert(a << s >= 1 && a << s <= 72);
  doubt(a << s < 72); //-
  assert(a >> s >= 0 && a >> s <= 9);
  doubt(a >> s > 0); //-
  assert((a << 2) % 4 == 0);
  doubt((a << 2) % 8 == 0); //-
  int n = between(-9, -1);
  assert(n >> 1 >= -5 && n >> 1 <= -1);
  doubt(n >> 1 > -5); //-
}

static void bits(void) {
  unsigned a = (unsigned)between(0, 12), b = (unsigned)between(0, 5);
  assert((a & b) <= 5);
  doubt((a & b) < 5); //-
  assert((a | b) <= 15);
  doubt((a | b) < 13); //-
  assert((a ^ b) <= 15);
  doubt((a ^ b) < 13); //-
  assert((a & 3) < 4);
  doubt((a & 3) < 3); //-
  int m = between(-8, 7);
  assert((m & 7) >= 0);
  assert((m | 1) >= -8);
  doubt((m | 1) < 0); //-
}

static void widths(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  assert(c <= 255);
  assert((signed char)c <= 127);
  doubt((signed char)c >= 0); //-
  unsigned char wrapped = (unsigned char)(c + 1);
  doubt(wrapped >= 1); //-
  int a = between(-3, 3);
  assert((unsigned)a <= 3u || (unsigned)a >= 4294967293u);
  assert((short)a == a);
  assert((long)a * 1000000000000L >= -3000000000000L);
  unsigned big = 4000000000u;
  assert(big + 500000000u == 205032704u);
  assert((int)(char)(a + 300) == a + 44);
  assert((unsigned short)(a - 10) > 65000);
}

static void choices(void) {
  int a = between(0, 9);
  int b = a > 4 ? a : 4;
  assert(b >= 4 && b <= 9);
  doubt(b > 4); //-
  int c = a & 1 ? 10 : 20;
  assert(c == 10 || c == 20);
  doubt(c == 10); //-
  assert(!!a <= 1);
  doubt(!a == 0); //-
}

int main(void) {
  sums();
  products();
  quotients();
  shifts();
  bits();
  widths();
  choices();
  return 0;
}
