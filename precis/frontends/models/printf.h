/* What the formatter and its floating point part share. */
#include <stddef.h>
#include <stdint.h>

enum length {
    LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_L, LENGTH_LL, LENGTH_J, LENGTH_Z, LENGTH_T,
    LENGTH_LONG_DOUBLE
};

/* One conversion specification; sign is 0, '+' or ' '; precision is -1 if there is none. */
struct spec {
    int left;
    int zero;
    int alternate;
    char sign;
    int width;
    int precision;
    enum length length;
    char conversion;
};

struct sink;
void __precis_emit(struct sink *sink, const char *text, size_t n);
void __precis_emit_many(struct sink *sink, char c, int n);
/* What stands before and after a body of that size to fill the width; the prefix comes before zeros. */
void __precis_emit_head(struct sink *sink, const struct spec *spec, const char *prefix, int prefix_size,
                        int body);
void __precis_emit_tail(struct sink *sink, const struct spec *spec, int prefix_size, int body);
void __precis_emit_float(struct sink *sink, struct spec *spec, double x);
