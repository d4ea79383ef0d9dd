/* What a branch tells. */
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)
extern unsigned __VERIFIER_nondet_uint(void);

static void comparisons(int x) {
  if (x < 10) {
    assert(x <= 9);
    if (x >= 3) assert(x > 2);
    if (x > 3) doubt(x > 4); //-
  } else {
    assert(x >= 10);
    doubt(x > 10); //-
  }
}

static void equalities(int x) {
  if (x == 7) assert(x + 1 == 8);
  if (x != 7) assert(x != 7); //~
  if (x >= 0 && x <= 5 && x != 0 && x != 5) assert(x >= 1 && x <= 4);
  if (x >= 0 && x <= 5 && x != 3) doubt(x != 2); //-
}

static void connectives(int x, int y) {
  if (x > 0 && y > x) assert(x >= 1);
  if (!(x > 0 || y > 0)) assert(x <= 0 && y <= 0);
  if (x == 1 || x == 2 || x == 3) assert(x > 0 && x < 4);
  if (x == 1 || x == 3) doubt(x != 1); //-
  if (!(x < 5 && y < 5)) doubt(x >= 5); //-
}

static void arithmetic_in_conditions(int x) {
  if (x > -100 && x < 100) {
    if (x + 5 < 10) assert(x < 5);
    if (x - 5 > 10) assert(x > 15);
    if (2 * x == 8) assert(x == 4);
    if (-x > 3) assert(x < -3); //~
    if (x + 5 < 10) doubt(x < 4); //-
    if (10 - x >= 4) assert(x <= 6);
  }
  if (x % 4 == 2) assert(x % 2 == 0); //~
  if (x % 4 == 2) doubt(x % 8 == 2); //-
  if ((x & 1) == 0) assert(x % 2 == 0); //~
}

static void unsigned_ones(unsigned u) {
  if (u < 5) assert(u <= 4);
  if (u - 3 < 5) assert(u >= 3 && u < 8);
  if (u != 0) assert(u >= 1);
  if (u) doubt(u > 1); //-
  if ((int)u < 0) assert(u > 2147483647u); //~
}

static void one_with_another(int x, int y) {
  if (x < y) assert(x != y); //~
  if (x < y) assert(x < 2147483647);
  if (x == y) assert(y == x); //~
  if (x >= 0 && x <= 9 && y >= 5 && x == y) assert(y <= 9 && x >= 5);
  if (x >= 0 && y > x) assert(y > 0);
  if (x >= 0 && y >= x) doubt(y > 0); //-
  if (x <= y && y <= 4) assert(x <= 4);
}

static void pointers(int *p, int *q) {
  if (p) assert(p != NULL);
  if (!p) assert(p == NULL);
  if (p == q && q != NULL) assert(p != NULL);
  if (p != q) doubt(p != NULL); //-
}

static void held(int x) {
  int less = x < 10;
  if (less) assert(x < 10); //~
  int kept = x;
  if (x > 3) assert(kept > 3);
  if (x > 3) doubt(kept > 4); //-
  switch (x) {
  case 1:
  case 2:
    assert(x == 1 || x == 2);
    doubt(x == 2); //-
    break;
  case 5:
    assert(x == 5);
    break;
  default:
    assert(x != 5); //~
    doubt(x != 6); //-
  }
}

int main(void) {
  int cell = 0;
  comparisons(__VERIFIER_nondet_int());
  equalities(__VERIFIER_nondet_int());
  connectives(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  arithmetic_in_conditions(__VERIFIER_nondet_int());
  unsigned_ones(__VERIFIER_nondet_uint());
  one_with_another(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  pointers(__VERIFIER_nondet_int() ? &cell : NULL, __VERIFIER_nondet_int() ? &cell : NULL);
  held(__VERIFIER_nondet_int());
  return 0;
}
