// Two texts are handed out, or none
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int copy_part(const char *from, size_t length, char **out) {
    *out = malloc(length + 1);
    if (!*out)
        return 0;
    memcpy(*out, from, length);
    (*out)[length] = '\0';
    return 1;
}

static int split(const char *text, char mark, char **left, char **right) {
    const char *at = strchr(text, mark);
    *left = *right = NULL;
    if (!at)
        return 0;
    if (!copy_part(text, (size_t)(at - text), left))
        return 0;
    if (!copy_part(at + 1, strlen(at + 1), right)) {
        free(*left);
#ifndef BUG
        *left = NULL;
#endif
        return 0;
    }
    return 1;
}

int main(void) {
    char *key, *value;
    int mark = getchar();
    if (mark == EOF || mark == '\0') // which every text ends with
        return 1;
    if (split("name=x", (char)mark, &key, &value))
        printf("%s is %s\n", key, value);
    free(key); /*L*/
    free(value);
    return 0;
}
