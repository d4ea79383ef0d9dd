/* What a callee gives is null, or lies behind what it was given. */
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct s { char *p; };
static void step(struct s *s) { s->p = s->p && *s->p ? s->p + 1 : NULL; }
int main(void)
{
    char text[2] = {'a', 0};
    struct s s = {text};
    step(&s);
    if (__VERIFIER_nondet_int())
        step(&s);
    return *s.p;
}
