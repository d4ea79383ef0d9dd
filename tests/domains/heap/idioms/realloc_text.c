// Pieces are appended to a text that is reached through two pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked_realloc(void *old, size_t size) {
    void *fresh = realloc(old, size);
    if (!fresh) {
        free(old);
        exit(1);
    }
    return fresh;
}

static void append(char **text, const char *piece) {
    size_t old = *text ? strlen(*text) : 0;
    size_t more = strlen(piece);
#ifdef BUG
    *text = checked_realloc(*text, old + more);
#else
    *text = checked_realloc(*text, old + more + 1);
#endif
    memcpy(*text + old, piece, more);
    (*text)[old + more] = '\0'; /*L*/
}

static void quote(char **text, const char *word) {
    append(text, "'");
    append(text, word);
    append(text, "'");
}

int main(void) {
    char *line = NULL;
    int c = getchar();
    quote(&line, "one");
    if (c == 'y')
        quote(&line, "two");
    puts(line);
    free(line);
    return 0;
}
