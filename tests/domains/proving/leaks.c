/* What is lost, and what is only out of sight. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct box { void *held; struct box *next; };
static void *kept;
static struct box holder;

static void overwritten(int n) {
  void *p = malloc(4);
  void *q = p;
  p = NULL;
  if (n) free(q);
  if (!n) q = NULL; //-
}

static void forgotten(int n) {
  void *p = malloc(4);
  if (n) free(p);
} //-

static void handed_to_global(void) {
  void *p = malloc(4);
  kept = p;
}

static void *handed_back(void) {
  void *p = malloc(8);
  return p;
}

static void stored(struct box *in) { in->held = malloc(1); }

static void in_a_local(void) {
  struct box local;
  stored(&local);
  free(local.held);
}

static void in_a_box(int n) {
  struct box *b = malloc(sizeof *b);
  if (!b) return;
  b->next = NULL;
  b->held = malloc(3);
  if (n > 0) {
    free(b->held);
    free(b);
  } else {
    free(b); //-
  }
}

static void result_dropped(int n) {
  if (n) handed_back(); //-
}

static void cycle(int n) {
  struct box *a = malloc(sizeof *a);
  if (!a) return;
  a->held = NULL;
  a->next = a;
  if (n) {
    free(a);
    return;
  }
  a = NULL; //-
}

static void out_of_loop(int n) {
  void *p = NULL;
  for (int i = 0; i < n; i++) {
    free(p); //~
    p = malloc(2); //~
  }
  free(p); //~
} //~

static void lost_in_loop(int n) {
  void *p = NULL;
  for (int i = 0; i < n; i++) p = malloc(2); //-
  free(p);
} //~

static void grown(void) {
  char *p = malloc(2);
  if (!p) return;
  char *q = realloc(p, 4);
  free(q ? q : p);
}

static void grown_badly(void) {
  char *p = malloc(2);
  if (!p) return;
  p = realloc(p, 4); //-
  free(p);
}

int main(void) {
  overwritten(__VERIFIER_nondet_int());
  forgotten(__VERIFIER_nondet_int());
  handed_to_global();
  free(kept);
  kept = NULL;
  void *back = handed_back();
  free(back);
  in_a_local();
  in_a_box(__VERIFIER_nondet_int());
  result_dropped(__VERIFIER_nondet_int());
  cycle(__VERIFIER_nondet_int());
  out_of_loop(__VERIFIER_nondet_int());
  lost_in_loop(__VERIFIER_nondet_int());
  grown();
  grown_badly();
  stored(&holder);
  free(holder.held);
  holder.held = NULL;
  return 0;
}
