#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static char *twin(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}
int main(int argc, char **argv) {
    char buffer[16] = "", *words[3] = {"one", "three", buffer};
    unsigned n = __VERIFIER_nondet_uchar() % 3;
    snprintf(buffer, sizeof buffer, "%d-%s", (int)n, words[n]);
    char *copy = twin(argc > 1 ? argv[1] : words[n]);
    int same = copy && strcmp(copy, "one") == 0;
    puts(buffer);
    free(copy);
    return same + (strchr(buffer, '-') != NULL);
}
