#ifndef _STRING_H
#define _STRING_H
#include <features.h>
#include <precis_types.h>

void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *from, int byte, size_t n);
size_t strlen(const char *text);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t n);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strstr(const char *text, const char *part);
char *strtok(char *__restrict text, const char *__restrict separators);
char *strerror(int number);

#ifdef __PRECIS_POSIX
#include <strings.h>
void *memccpy(void *__restrict to, const void *__restrict from, int byte, size_t n);
char *strdup(const char *text);
char *strndup(const char *text, size_t n);
size_t strnlen(const char *text, size_t n);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strtok_r(char *__restrict text, const char *__restrict separators, char **__restrict rest);
char *strsep(char **__restrict text, const char *__restrict separators);
char *strsignal(int number);
void explicit_bzero(void *to, size_t n);
size_t strlcpy(char *__restrict to, const char *__restrict from, size_t room);
size_t strlcat(char *__restrict to, const char *__restrict from, size_t room);
int __xpg_strerror_r(int number, char *to, size_t room);
#ifdef __PRECIS_GNU
char *strerror_r(int number, char *to, size_t room);
#else
#define strerror_r __xpg_strerror_r
#endif
#endif
#ifdef __PRECIS_GNU
void *mempcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memrchr(const void *from, int byte, size_t n);
void *rawmemchr(const void *from, int byte);
void *memmem(const void *from, size_t n, const void *part, size_t size);
char *strchrnul(const char *text, int c);
char *strcasestr(const char *text, const char *part);
#endif
#endif
