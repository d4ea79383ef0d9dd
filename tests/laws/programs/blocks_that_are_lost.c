#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
static char *kept;
static char *fresh(void) { return malloc(3); }
static void replace(char **place) { *place = fresh(); }
int main(void) {
    char *p = fresh(), *q = p;
    if (__VERIFIER_nondet_bool()) kept = p;
    replace(&p);
    q = __VERIFIER_nondet_bool() ? p : 0;
    if (kept) free(kept);
    kept = 0;
    free(q);
    return 0;
}
