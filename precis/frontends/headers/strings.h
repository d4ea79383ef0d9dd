#ifndef _STRINGS_H
#define _STRINGS_H
#include <precis_types.h>

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
int bcmp(const void *a, const void *b, size_t n);
void bcopy(const void *from, void *to, size_t n);
void bzero(void *to, size_t n);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int ffs(int n);
int ffsl(long n);
int ffsll(long long n);
#endif
