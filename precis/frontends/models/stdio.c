/* Streams: the three standard ones, unbuffered, and those in memory. */
#define _GNU_SOURCE 1
#include "stream.h"
#include <errno.h>
#include <precis.h>
#include <stdlib.h>

static FILE input = {0, 0, 0, 0, EOF, NULL};
static FILE output = {1, 0, 0, 0, EOF, NULL};
static FILE errors = {2, 0, 0, 0, EOF, NULL};
FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &errors;

int __precis_put(const void *bytes, size_t n, FILE *stream)
{
    if (stream->medium)
        return stream->medium->put(bytes, n, stream);
    if (stream->closed || stream->fd == 0 || __precis_write(stream->fd, bytes, n) < 0) {
        stream->failed = 1;
        errno = EBADF;
        return EOF;
    }
    return 0;
}

int __precis_get(FILE *stream)
{
    unsigned char c;
    int pushed = stream->pushed;
    if (pushed != EOF) {
        stream->pushed = EOF;
        return pushed;
    }
    if (stream->medium)
        return stream->medium->get(stream);
    if (stream->closed || stream->fd != 0) {
        stream->failed = 1;
        errno = EBADF;
        return EOF;
    }
    if (stream->at_end || __precis_read(0, &c, 1) != 1) {
        stream->at_end = 1;
        return EOF;
    }
    return c;
}

static int put_char(int c, FILE *stream)
{
    unsigned char byte = (unsigned char)c;
    return __precis_put(&byte, 1, stream) ? EOF : byte;
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

int fputc(int c, FILE *stream) { return put_char(c, stream); }
int putc(int c, FILE *stream) { return put_char(c, stream); }
int putchar(int c) { return put_char(c, stdout); }
int putc_unlocked(int c, FILE *stream) { return put_char(c, stream); }
int putchar_unlocked(int c) { return put_char(c, stdout); }
int _IO_putc(int c, FILE *stream) { return put_char(c, stream); }

int fputs(const char *restrict text, FILE *restrict stream)
{
    return __precis_put(text, length(text), stream) ? EOF : 1;
}

int puts(const char *text)
{
    size_t n = length(text);
    if (__precis_put(text, n, stdout) || put_char('\n', stdout) == EOF)
        return EOF;
    return (int)n + 1;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    if (size == 0 || count == 0)
        return 0;
    return __precis_put(from, size * count, stream) ? 0 : count;
}

int fgetc(FILE *stream) { return __precis_get(stream); }
int getc(FILE *stream) { return __precis_get(stream); }
int getchar(void) { return __precis_get(stdin); }
int getc_unlocked(FILE *stream) { return __precis_get(stream); }
int getchar_unlocked(void) { return __precis_get(stdin); }
int _IO_getc(FILE *stream) { return __precis_get(stream); }

/* One character at a time may be given back. */
int ungetc(int c, FILE *stream)
{
    if (c == EOF || stream->pushed != EOF)
        return EOF;
    stream->pushed = (unsigned char)c;
    stream->at_end = 0;
    return stream->pushed;
}

char *fgets(char *restrict to, int room, FILE *restrict stream)
{
    int n = 0, c = 0;
    if (room <= 0)
        return NULL;
    while (n < room - 1 && c != '\n' && (c = __precis_get(stream)) != EOF)
        to[n++] = (char)c;
    if (c == EOF && (n == 0 || stream->failed))
        return NULL;
    to[n] = 0;
    return to;
}

/* Stores without a bound, as it always did. */
char *gets(char *to)
{
    size_t n = 0;
    int c;
    while ((c = __precis_get(stdin)) != EOF && c != '\n')
        to[n++] = (char)c;
    if (c == EOF && n == 0)
        return NULL;
    to[n] = 0;
    return to;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    unsigned char *bytes = to;
    size_t all = size * count;
    for (size_t n = 0; n < all; n++) {
        int c = __precis_get(stream);
        if (c == EOF)
            return n / size;
        bytes[n] = (unsigned char)c;
    }
    return size ? count : 0;
}

/* Makes *line hold at least `wanted` bytes; 0 if memory is out. */
static int make_room(char **line, size_t *room, size_t wanted)
{
    if (*line && *room >= wanted)
        return 1;
    size_t larger = *line && *room >= 60 ? *room * 2 : 120;
    char *moved = realloc(*line, larger);
    if (!moved)
        return 0;
    *line = moved;
    *room = larger;
    return 1;
}

ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream)
{
    size_t n = 0;
    int c;
    if (!line || !room) {
        errno = EINVAL;
        return -1;
    }
    do {
        if (!make_room(line, room, n + 2))
            return -1;
        c = __precis_get(stream);
        if (c != EOF)
            (*line)[n++] = (char)c;
    } while (c != EOF && c != end);
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    return getdelim(line, room, '\n', stream);
}

int feof(FILE *stream) { return stream->at_end; }
int ferror(FILE *stream) { return stream->failed; }
int fileno(FILE *stream) { return stream->fd; }

void clearerr(FILE *stream)
{
    stream->at_end = 0;
    stream->failed = 0;
}

int fflush(FILE *stream)
{
    return stream && stream->closed ? EOF : 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer)
{
    (void)stream;
    (void)buffer;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    (void)stream;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}

int fclose(FILE *stream)
{
    if (stream->medium) {
        stream->medium->close(stream);
        return 0;
    }
    if (stream->closed)
        return EOF;
    stream->closed = 1;
    return 0;
}

const char *__precis_error_text(int number);

void perror(const char *text)
{
    const char *reason = __precis_error_text(errno);
    if (!reason)
        reason = "Unknown error";
    if (text && *text) {
        __precis_put(text, length(text), stderr);
        __precis_put(": ", 2, stderr);
    }
    __precis_put(reason, length(reason), stderr);
    __precis_put("\n", 1, stderr);
}
