#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("kept", stream);
    fclose(stream);
    puts(text);
    free(text);
    fputs("lost", stream); //! use-after-free
    return 0;
}
