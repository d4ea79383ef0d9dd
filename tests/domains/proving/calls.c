/* What a summary hands back to its caller. */
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)

struct pair { int a; int b; };
static int total;
static int *where;

static int clipped(int x) { return x < 0 ? 0 : x > 9 ? 9 : x; }
static void set(int *p, int v) { *p = v; }
static void swap(int *p, int *q) {
  int t = *p;
  *p = *q;
  *q = t;
}
static struct pair made(int a, int b) {
  struct pair p = {a, b};
  return p;
}
static int of_copy(struct pair p) {
  p.a = 100;
  return p.a + p.b;
}
static void add(int v) { total += v; }
static int *chosen(int c, int *p, int *q) { return c ? p : q; }
static void through(int **pp, int *p) { *pp = p; }
static int twice(int (*f)(int), int x) { return f(f(x)); }
static int next(int x) { return x + 1; }
static int before(int x) { return x - 1; }

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int result = 0;
  for (int i = 0; i < count; i++) result += va_arg(list, int);
  va_end(list);
  return result;
}

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static void stop(int n) {
  if (n > 5) exit(1);
}

static void results(int x) {
  int c = clipped(x);
  assert(c >= 0 && c <= 9);
  doubt(c < 9); //-
  assert(clipped(4) == 4 && clipped(-4) == 0);
  struct pair p = made(3, x);
  assert(p.a == 3);
  doubt(p.b == 3); //-
  assert(of_copy(made(1, 2)) == 102);
}

static void out_parameters(int x) {
  int a = 1, b = 2;
  set(&a, 7);
  assert(a == 7 && b == 2);
  swap(&a, &b);
  assert(a == 2 && b == 7);
  swap(&a, &a);
  assert(a == 2);
  set(x ? &a : &b, 9);
  assert(a == 2 || a == 9);
  doubt(a == 2); //-
  struct pair p = {1, 2};
  swap(&p.a, &p.b);
  assert(p.a == 2 && p.b == 1);
}

static void pointers(int x) {
  int a = 1, b = 2;
  int *p = chosen(1, &a, &b);
  *p = 5;
  assert(a == 5 && b == 2);
  int *q = chosen(x, &a, &b);
  assert(q == &a || q == &b);
  doubt(q == &a); //-
  int *r = NULL;
  through(&r, &b);
  *r = 8;
  assert(b == 8 && a == 5);
  through(&where, &a);
  assert(where == &a && *where == 5);
  where = NULL;
}

static void globals(void) {
  total = 0;
  add(3);
  add(4);
  assert(total == 7);
  doubt(total != 7); //-
}

static void functions(int x) {
  assert(twice(next, 3) == 5);
  assert(twice(before, 3) == 1);
  int (*f)(int) = x ? next : before;
  assert(f(3) == 4 || f(3) == 2);
  doubt(f(3) == 4); //-
  int (*table[2])(int) = {next, before};
  assert(table[1](0) == -1);
}

static void recursive(void) {
  assert(factorial(1) == 1);
  assert(even(0) == 1);
  int e = even(10);
  assert(e == 0 || e == 1);
  doubt(e == 0); //-
}

static void ends(int n) {
  stop(n);
  assert(n <= 5); //~
  doubt(n <= 4); //-
}

static void variadic(void) { assert(sum(2, 3, 4) == 7); }

int main(void) {
  results(__VERIFIER_nondet_int());
  out_parameters(__VERIFIER_nondet_int());
  pointers(__VERIFIER_nondet_int());
  globals();
  functions(__VERIFIER_nondet_int());
  recursive();
  ends(__VERIFIER_nondet_int());
  variadic();
  return 0;
}
