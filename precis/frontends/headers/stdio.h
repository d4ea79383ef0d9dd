#ifndef _STDIO_H
#define _STDIO_H
#include <features.h>
#include <stdarg.h>
#include <precis_types.h>

typedef struct __precis_file FILE;
typedef struct {
    long long __place;
} fpos_t;

#ifdef __PRECIS_POSIX
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#endif

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

int printf(const char *__restrict format, ...);
int fprintf(FILE *__restrict stream, const char *__restrict format, ...);
int sprintf(char *__restrict to, const char *__restrict format, ...);
int vprintf(const char *__restrict format, va_list args);
int vfprintf(FILE *__restrict stream, const char *__restrict format, va_list args);
int vsprintf(char *__restrict to, const char *__restrict format, va_list args);
int scanf(const char *__restrict format, ...);
int fscanf(FILE *__restrict stream, const char *__restrict format, ...);
int sscanf(const char *__restrict text, const char *__restrict format, ...);
#ifdef __PRECIS_C99
int snprintf(char *__restrict to, size_t room, const char *__restrict format, ...);
int vsnprintf(char *__restrict to, size_t room, const char *__restrict format, va_list args);
int vscanf(const char *__restrict format, va_list args);
int vfscanf(FILE *__restrict stream, const char *__restrict format, va_list args);
int vsscanf(const char *__restrict text, const char *__restrict format, va_list args);
#endif

int fputc(int c, FILE *stream);
int putc(int c, FILE *stream);
int putchar(int c);
int fputs(const char *__restrict text, FILE *__restrict stream);
int puts(const char *text);
size_t fwrite(const void *__restrict from, size_t size, size_t count, FILE *__restrict stream);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar(void);
int ungetc(int c, FILE *stream);
char *fgets(char *__restrict to, int room, FILE *__restrict stream);
size_t fread(void *__restrict to, size_t size, size_t count, FILE *__restrict stream);
#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
char *gets(char *to);
#endif

int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
void perror(const char *text);
int fflush(FILE *stream);
void setbuf(FILE *__restrict stream, char *__restrict buffer);
int setvbuf(FILE *__restrict stream, char *__restrict buffer, int mode, size_t size);

FILE *fopen(const char *__restrict path, const char *__restrict mode);
FILE *freopen(const char *__restrict path, const char *__restrict mode, FILE *__restrict stream);
int fclose(FILE *stream);
FILE *tmpfile(void);
char *tmpnam(char *to);
int remove(const char *path);
int rename(const char *from, const char *to);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *__restrict stream, fpos_t *__restrict place);
int fsetpos(FILE *stream, const fpos_t *place);

#ifdef __PRECIS_POSIX
int fileno(FILE *stream);
FILE *fdopen(int fd, const char *mode);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
int fseeko(FILE *stream, off_t offset, int whence);
off_t ftello(FILE *stream);
ssize_t getline(char **__restrict line, size_t *__restrict room, FILE *__restrict stream);
ssize_t getdelim(char **__restrict line, size_t *__restrict room, int end, FILE *__restrict stream);
int getc_unlocked(FILE *stream);
int getchar_unlocked(void);
int putc_unlocked(int c, FILE *stream);
int putchar_unlocked(int c);
int dprintf(int fd, const char *__restrict format, ...);
int vdprintf(int fd, const char *__restrict format, va_list args);
FILE *open_memstream(char **text, size_t *size);
FILE *fmemopen(void *__restrict bytes, size_t room, const char *__restrict mode);
void flockfile(FILE *stream);
void funlockfile(FILE *stream);
int ftrylockfile(FILE *stream);
int fgetc_unlocked(FILE *stream);
int fputc_unlocked(int c, FILE *stream);
int feof_unlocked(FILE *stream);
int ferror_unlocked(FILE *stream);
int fileno_unlocked(FILE *stream);
int fflush_unlocked(FILE *stream);
void clearerr_unlocked(FILE *stream);
size_t fread_unlocked(void *__restrict to, size_t size, size_t count, FILE *__restrict stream);
size_t fwrite_unlocked(const void *__restrict from, size_t size, size_t count, FILE *__restrict stream);
void setbuffer(FILE *__restrict stream, char *__restrict buffer, size_t size);
void setlinebuf(FILE *stream);
#endif
#ifdef __PRECIS_GNU
int asprintf(char **__restrict to, const char *__restrict format, ...);
int vasprintf(char **__restrict to, const char *__restrict format, va_list args);
#endif
#endif
