/* Loops whose bounds and strides are found. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)

static void up(void) {
  int a[10];
  int i;
  for (i = 0; i < 10; i++) a[i] = i;
  assert(i == 10);
  for (i = 0; i < 10; i++) {
    assert(i >= 0 && i <= 9);
    doubt(i != 9); //-
  }
}

static void down(int n) {
  int a[8];
  for (int i = 7; i >= 0; i--) a[i] = 0;
  if (n > 8) n = 8;
  while (n > 0) {
    n--;
    a[n] = 1;
    assert(n <= 7);
    doubt(n < 7); //-
  }
  assert(n <= 0);
}

static void strides(void) {
  int i = 1;
  while (i < 100000) {
    assert(i % 3 == 1);
    i += 3;
  }
  assert(i % 3 == 1);
  assert(i < 100003);
  doubt(i == 99999); //-
}

static void until_equal(void) {
  int count = 0;
  for (int i = 0; i != 1000; i++) {
    assert(i < 1000);
    count = i;
  }
  assert(count >= 0 && count < 1000);
  doubt(count == 0); //-
}

static void input_bound(int n) {
  int a[16];
  if (n < 0 || n > 16) return;
  for (int i = 0; i < n; i++) a[i] = n;
  int i = 0;
  while (i < n) {
    assert(i < 16);
    doubt(i < 15); //-
    i++;
  }
}

static void nested(void) {
  int grid[4][6];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 6; j++) grid[i][j] = i * j;
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 6; j++) {
      assert(j >= 0);
      assert(i + j <= 8);
      doubt(i + j < 8); //-
    }
}

static void leaving(int n) {
  int i = 0;
  for (;;) {
    if (i == 5) break;
    if (n == i) {
      assert(i < 5);
      break;
    }
    i++;
  }
  assert(i >= 0 && i <= 5);
  doubt(i < 5); //-
  int tries = 0;
  do {
    tries++;
    if (__VERIFIER_nondet_int()) continue;
    assert(tries >= 1);
    doubt(tries == 1); //-
  } while (tries < 3);
  assert(tries == 3);
}

int main(void) {
  up();
  down(__VERIFIER_nondet_int());
  strides();
  until_equal();
  input_bound(__VERIFIER_nondet_int());
  nested();
  leaving(__VERIFIER_nondet_int());
  return 0;
}
