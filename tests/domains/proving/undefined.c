/* Overflow, division, shifts, values never set. */
//! overflow division uninitialised
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int between(int low, int high) {
  int x = __VERIFIER_nondet_int();
  return x < low || x > high ? low : x;
}

static int overflows(void) {
  int a = between(0, INT_MAX - 1), b = between(-10, 10);
  int c = a + 1;
  int d = c + 1; //-
  int e = b * 100000000;
  int f = b * 1000000000; //-
  int g = -b;
  int h = -between(INT_MIN, 0); //-
  int i = INT_MIN + a;
  int j = INT_MIN - a; //-
  int k = INT_MIN - b; //-
  return c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k;
}

static int divisions(void) {
  int a = between(-5, 5), b = between(1, 3);
  int c = a / b;
  int d = b / a; //-
  int e = 7 % (a + 6);
  int f = 7 % a; //-
  int g = between(INT_MIN, 0) / (a - 6); //-
  int h = between(INT_MIN, 0) / -b; //-
  if (a != 0) c += 3 / a; //~
  return c ^ d ^ e ^ f ^ g ^ h;
}

static int shifts(void) {
  int s = between(0, 31), t = between(0, 32), n = between(-1, 3);
  unsigned one = 1;
  unsigned a = one << s;
  unsigned b = one << t; //-
  unsigned c = one >> n; //-
  unsigned d = one << (n & 7);
  return (int)((a ^ b ^ c ^ d) & 1);
}

struct pair { int a; int b; };

static int unset(int n) {
  int x, y, z;
  unsigned u = 0;
  if (n > 0) x = 1;
  y = 2;
  if (n > 0) y += x;
  if (n > -1) u += x; //-
  for (int i = 0; i < 3; i++) z = i;
  struct pair p;
  p.a = 1;
  y += p.a;
  if (n == 7) u += p.b; //-
  int a[4];
  a[1] = 3;
  y += a[1];
  if (n == 8) u += a[2]; //-
  int *m = malloc(8);
  if (!m) return 0;
  m[0] = 2;
  y += m[0];
  if (n == 9) u += m[1]; //-
  free(m);
  return (y ^ z ^ (int)(u & 1)) & 1;
}

int main(void) {
  int r = overflows();
  r ^= divisions();
  r ^= shifts();
  r ^= unset(__VERIFIER_nondet_int());
  return r & 1;
}
