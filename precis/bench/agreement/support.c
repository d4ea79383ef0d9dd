/* What a generated program needs when it is compiled: inputs from the environment variable
   BENCH_VALUES (numbers with commas between them), and reports at the end. With BENCH_COUNT the
   program is linked with --wrap for the allocation functions, and the number of live blocks is
   written to stderr at exit. */
#include <stdio.h>
#include <stdlib.h>

extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

static const char *next_value;

static long long value(void) {
    if (!next_value) {
        next_value = getenv("BENCH_VALUES");
    }
    if (!next_value || !*next_value) {
        fputs("bench: no value left\n", stderr);
        _Exit(97);
    }
    char *end;
    long long result = strtoll(next_value, &end, 10);
    next_value = *end == ',' ? end + 1 : end;
    return result;
}

int __VERIFIER_nondet_int(void) { return (int)value(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)value(); }
char __VERIFIER_nondet_char(void) { return (char)value(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)value(); }
short __VERIFIER_nondet_short(void) { return (short)value(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)value(); }
long __VERIFIER_nondet_long(void) { return (long)value(); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)value(); }
_Bool __VERIFIER_nondet_bool(void) { return value() != 0; }

void __VERIFIER_assume(int condition) {
    if (!condition) {
        fputs("bench: assumption failed\n", stderr);
        fflush(stdout);
        _Exit(0);
    }
}

void reach_error(void) {
    fflush(stdout);
    fputs("bench: reach_error\n", stderr);
    if (__sanitizer_print_stack_trace) {
        __sanitizer_print_stack_trace();
    }
    _Exit(98);
}

#ifdef BENCH_COUNT
static long live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);

void *__wrap_malloc(size_t size) {
    live++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    live++;
    return __real_calloc(count, size);
}

char *__wrap_strdup(const char *text) {
    live++;
    return __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size) {
    live++;
    return __real_strndup(text, size);
}

void *__wrap_realloc(void *block, size_t size) {
    live += block == NULL;
    return __real_realloc(block, size);
}

void __wrap_free(void *block) {
    live -= block != NULL;
    __real_free(block);
}

__attribute__((destructor)) static void report(void) {
    fprintf(stderr, "bench: live %ld\n", live);
}
#endif
