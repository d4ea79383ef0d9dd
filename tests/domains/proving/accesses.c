/* Where an access stays inside a live object, and where it may not. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct item { char name[4]; int value; };

static void at_ends(int i) {
  int a[5] = {0};
  if (i >= 0 && i < 5) a[i] = 1;
  if (i >= 0 && i <= 5) a[i] = 1; //-
  if (i >= -1 && i < 5) a[i] = 1; //-
  int *end = a + 5;
  if (i > 0) *end = 1; //-
  end[-1] = 2;
}

static void null(int i) {
  int x = 0;
  int *p = i ? &x : NULL;
  if (p) *p = 1;
  if (i) *p = 2;
  *p = 3; //-
  *p = 4;
}

static int *leaving(void) {
  static int stays;
  return &stays;
}

static void scopes(int i) {
  int *p = leaving();
  *p = 1;
  int *q = p;
  {
    int inner = 3;
    if (i) q = &inner;
    *q = 4;
  }
  *p = 2;
  *q = 5; //-
}

static void fields(int i) {
  struct item items[3];
  memset(items, 0, sizeof items);
  if (i >= 0 && i < 3) {
    items[i].value = 1;
    items[i].name[3] = 'x';
    struct item *p = &items[i];
    if (i < 2) (p + 1)->value = 2;
    if (i < 3) (p + 1)->value = 2; //-
  }
}

static void bulk(int n) {
  char a[8], b[4] = "abc";
  memcpy(a, b, 4);
  memset(a, 0, 8);
  if (n >= 0 && n <= 4) memcpy(a, b, (size_t)n);
  if (n >= 0 && n <= 5) memcpy(a, b, (size_t)n); //-
  if (n >= 0 && n <= 9) memset(a, 1, (size_t)n); //-
  if (n >= 0 && n <= 4) memcpy(a + 4, a, (size_t)n);
}

static void constants(int n) {
  char *text = "fixed";
  char mine[] = "mine";
  mine[0] = 'M';
  if (n) text[0] = 'F'; //-
}

static void by_number(void) {
  int x = 0;
  uintptr_t number = (uintptr_t)&x;
  int *p = (int *)number;
  *p = 1;
}

static void aligned(int n) {
  char bytes[8] __attribute__((aligned(8))) = {0};
  int *p = (int *)bytes;
  *p = 1;
  *(p + 1) = 2;
  if (n) *(p + 2) = 3; //-
}

static int answer(int x) { return x; }

static void called(int n) {
  int (*f)(int) = n ? answer : NULL;
  if (f) f(1);
  if (n < 3) f(2); //-
}

int main(void) {
  at_ends(__VERIFIER_nondet_int());
  null(__VERIFIER_nondet_int());
  scopes(__VERIFIER_nondet_int());
  fields(__VERIFIER_nondet_int());
  bulk(__VERIFIER_nondet_int());
  constants(__VERIFIER_nondet_int());
  by_number();
  aligned(__VERIFIER_nondet_int());
  called(__VERIFIER_nondet_int());
  return 0;
}
