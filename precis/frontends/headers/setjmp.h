#ifndef _SETJMP_H
#define _SETJMP_H
#include <features.h>

typedef struct {
    unsigned long __saved[25];
} jmp_buf[1];

int setjmp(jmp_buf place) __attribute__((__returns_twice__));
int _setjmp(jmp_buf place) __attribute__((__returns_twice__));
void longjmp(jmp_buf place, int value) __PRECIS_NORETURN;
#ifdef __PRECIS_POSIX
typedef jmp_buf sigjmp_buf;
int sigsetjmp(sigjmp_buf place, int save) __attribute__((__returns_twice__));
void siglongjmp(sigjmp_buf place, int value) __PRECIS_NORETURN;
#endif
#endif
