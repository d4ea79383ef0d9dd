#ifndef _STDLIB_H
#define _STDLIB_H
#include <features.h>
#include <precis_types.h>
#ifdef __PRECIS_POSIX
typedef __PTRDIFF_TYPE__ ssize_t;
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)

typedef struct {
    int quot;
    int rem;
} div_t;
typedef struct {
    long quot;
    long rem;
} ldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *block);

void exit(int status) __PRECIS_NORETURN;
void abort(void) __PRECIS_NORETURN;
int atexit(void (*handler)(void));
char *getenv(const char *name);
int system(const char *command);

int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict text, char **__restrict end, int base);
double strtod(const char *__restrict text, char **__restrict end);

int abs(int n);
long labs(long n);
div_t div(int n, int by);
ldiv_t ldiv(long n, long by);
int rand(void);
void srand(unsigned seed);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

int mblen(const char *text, size_t n);
int mbtowc(wchar_t *__restrict to, const char *__restrict text, size_t n);
int wctomb(char *to, wchar_t c);
size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t n);
size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t n);

#ifdef __PRECIS_C99
typedef struct {
    long long quot;
    long long rem;
} lldiv_t;
long long atoll(const char *text);
long long strtoll(const char *__restrict text, char **__restrict end, int base);
unsigned long long strtoull(const char *__restrict text, char **__restrict end, int base);
float strtof(const char *__restrict text, char **__restrict end);
long double strtold(const char *__restrict text, char **__restrict end);
long long llabs(long long n);
lldiv_t lldiv(long long n, long long by);
void _Exit(int status) __PRECIS_NORETURN;
#endif
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L) || defined(__PRECIS_POSIX)
void *aligned_alloc(size_t alignment, size_t size);
int at_quick_exit(void (*handler)(void));
void quick_exit(int status) __PRECIS_NORETURN;
#endif
#ifdef __PRECIS_POSIX
#include <alloca.h>
int posix_memalign(void **block, size_t alignment, size_t size);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
void *reallocarray(void *old, size_t count, size_t size);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int putenv(char *text);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
int clearenv(void);
int mkstemp(char *name);
int mkstemps(char *name, int ending);
char *mkdtemp(char *name);
void *valloc(size_t size);
unsigned arc4random(void);
unsigned arc4random_uniform(unsigned bound);
void arc4random_buf(void *to, size_t n);
char *realpath(const char *__restrict path, char *__restrict to);
#endif
#ifdef __PRECIS_GNU
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *context);
char *secure_getenv(const char *name);
#endif
#endif
