/* Bytes, fields, arrays, unions, copies. */
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)

struct pair { int first; int second; };
struct nest { char tag; struct pair pair; struct pair *link; short tail[3]; };
union word { unsigned whole; unsigned char bytes[4]; unsigned short halves[2]; };

static void fields(int x) {
  struct nest n = {'a', {1, x}, 0, {4, 5}};
  assert(n.tag == 'a' && n.pair.first == 1 && n.link == 0);
  assert(n.tail[0] == 4 && n.tail[1] == 5 && n.tail[2] == 0);
  doubt(n.pair.second == 0); //-
  n.link = &n.pair;
  n.link->first = 8;
  assert(n.pair.first == 8);
  struct nest copy = n;
  copy.pair.first++;
  assert(copy.pair.first == 9 && n.pair.first == 8);
  assert(copy.link->first == 8);
  doubt(copy.link == &copy.pair); //-
}

static void elements(int i) {
  int a[6] = {0};
  a[2] = 5;
  assert(a[2] == 5 && a[3] == 0);
  if (i < 0 || i > 5) return;
  a[i] = 7;
  assert(a[0] == 0 || a[0] == 7);
  assert(a[2] >= 5 && a[2] <= 7);
  doubt(a[2] == 5); //-
  doubt(a[0] == 0); //-
  a[1] = 3;
  assert(a[1] == 3);
  int b[4] = {1, 2, 3, 4};
  assert(b[i & 3] >= 1 && b[i & 3] <= 4);
  doubt(b[i & 3] < 4); //-
  int *p = &b[1];
  p[1] = 9;
  assert(b[2] == 9 && p[-1] == 1);
  assert(&b[3] - p == 2);
}

static void parts(void) {
  union word w;
  w.whole = 0x11223344;
  assert(w.bytes[0] == 0x44 && w.bytes[3] == 0x11);
  assert(w.halves[1] == 0x1122);
  w.bytes[1] = 0;
  assert(w.whole == 0x11220044);
  doubt(w.whole == 0x11223344); //-
  unsigned long long big = 0x0102030405060708ull;
  unsigned low;
  memcpy(&low, &big, 4);
  assert(low == 0x05060708);
  memcpy((char *)&big + 4, &low, 4);
  assert(big == 0x0506070805060708ull);
}

static void copies(int n) {
  char text[8];
  memset(text, 'x', sizeof text);
  assert(text[0] == 'x' && text[7] == 'x');
  memset(text + 2, 0, 3);
  assert(text[1] == 'x' && text[2] == 0 && text[4] == 0 && text[5] == 'x');
  int from[4] = {1, 2, 3, 4}, to[4] = {0};
  memcpy(to + 1, from, 2 * sizeof(int));
  assert(to[0] == 0 && to[1] == 1 && to[2] == 2 && to[3] == 0);
  memmove(from + 1, from, 3 * sizeof(int));
  assert(from[0] == 1 && from[1] == 1 && from[3] == 3);
  if (n >= 0 && n <= 4) {
    memcpy(to, from, (unsigned)n * sizeof(int));
    assert(to[0] == 0 || to[0] == 1);
    doubt(to[0] == 1); //-
  }
  if (n >= 0 && n < 8) {
    memset(text, 'y', (unsigned)n);
    assert(text[7] == 'x');
    doubt(text[6] == 'x'); //-
  }
}

static void two_targets(int x) {
  int a = 1, b = 2;
  int *p = x ? &a : &b;
  *p = 5;
  assert(a == 1 || a == 5);
  doubt(a == 5); //-
  assert(b == 2 || b == 5);
  doubt(b == 2); //-
  int **pp = &p;
  *pp = &a;
  *p = 6;
  assert(a == 6 && **pp == 6);
  struct pair s = {3, 4};
  struct pair *q = x ? &s : 0;
  if (q) q->second = 10;
  assert(s.first == 3 && s.second >= 4 && s.second <= 10);
  doubt(s.second == 4); //-
}

static const int table[3] = {10, 20, 30};
static int counter;
static struct pair shared = {1, 2};

static void globals(int x) {
  assert(table[1] == 20);
  if (x >= 0 && x < 3) {
    assert(table[x] % 10 == 0 && table[x] <= 30);
    doubt(table[x] < 30); //-
  }
  counter++;
  assert(counter == 1);
  shared.second = counter + 1;
  assert(shared.first == 1 && shared.second == 2);
  static int calls = 4;
  calls += 2;
  assert(calls == 6);
}

static void bit_fields(int x) {
  struct { unsigned low : 3; int sign : 4; unsigned : 2; unsigned high : 7; } f = {0};
  f.low = 5;
  f.sign = -3;
  f.high = 100;
  assert(f.low == 5 && f.sign == -3 && f.high == 100); //~
  f.low = (unsigned)x & 7;
  assert(f.low <= 7 && f.sign == -3); //~
  doubt(f.low < 7); //-
}

int main(void) {
  fields(__VERIFIER_nondet_int());
  elements(__VERIFIER_nondet_int());
  parts();
  copies(__VERIFIER_nondet_int());
  two_targets(__VERIFIER_nondet_int());
  globals(__VERIFIER_nondet_int());
  bit_fields(__VERIFIER_nondet_int());
  return 0;
}
