// properties: leaks
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char text[] = "text";
    FILE *stream = fmemopen(text, sizeof text, "r");
    int c = fgetc(stream);
    stream = NULL; //! memory-leak
    return c - 't';
}
