/* A growing buffer: realloc, out-parameters, clean-up by goto. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t used, room;
};

static int append(struct buffer *buffer, const char *text) {
    size_t length = strlen(text);
    if (buffer->used + length + 1 > buffer->room) {
        size_t room = 2 * (buffer->used + length + 1);
        char *data = realloc(buffer->data, room);
        if (!data)
            return -1;
        buffer->data = data;
        buffer->room = room;
    }
    memcpy(buffer->data + buffer->used, text, length + 1);
    buffer->used += length;
    return 0;
}

int main(int argc, char **argv) {
    struct buffer buffer = {0};
    int status = 1;
    for (int i = 1; i < argc; i++)
        if (append(&buffer, argv[i]))
            goto out;
    for (int i = 0; i < 3; i++)
        if (append(&buffer, "précis "))
            goto out;
    printf("%s(%zu bytes)\n", buffer.data, buffer.used);
    status = 0;
out:
    free(buffer.data);
    return status;
}
