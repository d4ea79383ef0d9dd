/* The copy forgets the byte that ends the string. */
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    char *result = malloc(strlen(text));
    if (result)
        strcpy(result, text);
    return result;
}

int main(void) {
    char *text = copy("summary");
    free(text);
    return 0;
}
