// One label at the end that frees whatever there is; what was given away is forgotten before
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct message {
    char *body;
    int urgent;
};

static struct message *inbox;

static int deliver(const char *text, int urgent) {
    int result = -1;
    struct message *m = NULL;
    char *body = NULL;

    if (inbox)
        goto out;
    body = malloc(strlen(text) + 1);
    if (!body)
        goto out;
    strcpy(body, text);
    m = malloc(sizeof *m);
    if (!m)
        goto out;
    m->body = body;
    m->urgent = urgent;
#ifndef BUG
    body = NULL;
#endif
    inbox = m;
    m = NULL;
    result = 0;
out:
    free(body);
    free(m);
    return result;
}

static int take(void) {
    int urgent;
    if (!inbox)
        return 0;
    urgent = inbox->urgent;
    free(inbox->body); /*L*/
    free(inbox);
    inbox = NULL;
    return urgent;
}

int main(void) {
    int urgent = __VERIFIER_nondet_int() > 0;
    if (deliver("hello", urgent) != 0)
        return 1;
    if (deliver("again", 0) == 0)
        return 2;
    return take() != urgent;
}
