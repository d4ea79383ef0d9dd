/* Blocks of the heap: what is alive, how large, what was freed. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define doubt(c) if (__VERIFIER_nondet_int()) assert(c)

struct node { int value; struct node *next; };

static void one(void) {
  int *p = malloc(sizeof *p);
  if (!p) return;
  *p = 4;
  assert(*p == 4);
  free(p);
  p = NULL;
  free(p);
}

static void zeroed(void) {
  int *p = calloc(5, sizeof *p);
  if (!p) return;
  assert(p[0] == 0 && p[4] == 0);
  p[2] = 3;
  assert(p[2] == 3 && p[1] == 0);
  free(p);
}

static void grown(void) {
  int *p = malloc(2 * sizeof *p);
  if (!p) return;
  p[0] = 1;
  p[1] = 2;
  int *q = realloc(p, 4 * sizeof *q);
  if (!q) {
    assert(p[0] == 1);
    free(p);
    return;
  }
  assert(q[0] == 1 && q[1] == 2);
  q[3] = 4;
  free(q);
}

static void kinds_of_use(int n) {
  if (n < 1 || n > 100) return;
  int *p = malloc((unsigned)n * sizeof *p);
  if (!p) return;
  p[0] = 1;
  assert(p[0] == 1);
  p[1] = 1; //-
  free(p);
}

static void after_free(int n) {
  int *p = malloc(4);
  if (!p) return;
  *p = 1;
  if (n > 0) free(p);
  if (n > 1) *p = 2; //-
  if (n <= 0) {
    assert(*p == 1);
    free(p);
  }
}

static void twice(int n) {
  int *p = malloc(4);
  free(p);
  if (n) free(p); //-
}

static void not_the_start(int n) {
  char *p = malloc(4);
  if (!p) return;
  if (n > 0) {
    free(p + 1); //-
  } else {
    free(p + 1 - 1);
  }
}

static void null_or_not(void) {
  int *p = malloc(4);
  *p = 1; //-
  free(p);
}

static void two_nodes(void) {
  struct node *a = malloc(sizeof *a);
  if (!a) return;
  struct node *b = malloc(sizeof *b);
  if (!b) {
    free(a);
    return;
  }
  a->value = 1;
  a->next = b;
  b->value = 2;
  b->next = NULL;
  assert(a->next->value == 2 && a->next->next == NULL);
  assert(a != b);
  a->next->value = 3;
  assert(b->value == 3);
  free(a->next);
  free(a);
}

int main(void) {
  one();
  zeroed();
  grown();
  kinds_of_use(__VERIFIER_nondet_int());
  after_free(__VERIFIER_nondet_int());
  twice(__VERIFIER_nondet_int());
  not_the_start(__VERIFIER_nondet_int());
  null_or_not();
  two_nodes();
  return 0;
}
