/* A failing second step forgets what the first one allocated (try --property leaks). */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *prepare(int size) {
    char *buffer = malloc(16);
    if (!buffer)
        return NULL;
    if (size > 16 || size < 0)
        buffer = NULL;
    return buffer;
}

int main(void) {
    char *buffer = prepare(__VERIFIER_nondet_int());
    free(buffer);
    return 0;
}
