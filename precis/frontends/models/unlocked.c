/* Names of <stdio.h> for streams that are locked by hand: there is nothing to lock. */
#define _GNU_SOURCE 1
#include <stdio.h>

void flockfile(FILE *stream) { (void)fileno(stream); }
void funlockfile(FILE *stream) { (void)fileno(stream); }

int ftrylockfile(FILE *stream)
{
    (void)fileno(stream);
    return 0;
}

int fgetc_unlocked(FILE *stream) { return fgetc(stream); }
int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int fputs_unlocked(const char *restrict text, FILE *restrict stream) { return fputs(text, stream); }
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
int fileno_unlocked(FILE *stream) { return fileno(stream); }
int fflush_unlocked(FILE *stream) { return fflush(stream); }
void clearerr_unlocked(FILE *stream) { clearerr(stream); }

char *fgets_unlocked(char *restrict to, int room, FILE *restrict stream)
{
    return fgets(to, room, stream);
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    return fread(to, size, count, stream);
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    return fwrite(from, size, count, stream);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size)
{
    setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *stream)
{
    setvbuf(stream, NULL, _IOLBF, 0);
}
