// Use after free hidden by two calls
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int

struct S { int *buf; };
static void drop(struct S *s) { free(s->buf);
#ifndef BUG
  s->buf = NULL;
#endif
}
static void reset(struct S *s) { drop(s); }
static int peek(struct S *s) { return s->buf ? *s->buf /*L*/ : -1; }
int main(void) { struct S s; s.buf = malloc(sizeof(int)); if (!s.buf) return 0; *s.buf = 1; reset(&s); return peek(&s) > 0; }
