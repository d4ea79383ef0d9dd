/* What the models of <stdio.h> share. A stream is one of stdin, stdout, stderr, or a block of memory. */
#include <stdarg.h>
#include <stdio.h>

struct __precis_file {
    int fd;
    int closed;
    int at_end;
    int failed;
    int pushed; /* the character given back, or EOF */
    const struct __precis_medium *medium; /* NULL: the descriptor; else fd is -1 */
};

/* What stands behind a stream that has no descriptor. Reached by pointers, so that a program without
   such streams does not hold their code. */
struct __precis_medium {
    int (*put)(const void *bytes, size_t n, FILE *stream);
    int (*get)(FILE *stream);
    void (*close)(FILE *stream);
};

/* Bytes to a stream; 0, or EOF if it does not take them. */
int __precis_put(const void *bytes, size_t n, FILE *stream);
/* The next byte, or EOF. */
int __precis_get(FILE *stream);
/* The formatter behind every printf; a text gets at most `room` bytes, the last of them 0. */
int __precis_format_stream(FILE *stream, const char *format, va_list args);
int __precis_format_text(char *to, size_t room, const char *format, va_list args);
