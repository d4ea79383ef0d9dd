/* Which names beyond ISO C a program sees: POSIX ones unless -std=cNN is strict, GNU ones on request. */
#ifndef _FEATURES_H
#define _FEATURES_H
#if !defined(__STRICT_ANSI__) || defined(_GNU_SOURCE) || defined(_DEFAULT_SOURCE) || defined(_BSD_SOURCE) \
    || defined(_SVID_SOURCE) || defined(_POSIX_C_SOURCE) || defined(_POSIX_SOURCE) || defined(_XOPEN_SOURCE)
#define __PRECIS_POSIX 1
#endif
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define __PRECIS_C99 1
#elif defined(__PRECIS_POSIX)
#define __PRECIS_C99 1
#endif
#if defined(_GNU_SOURCE)
#define __PRECIS_GNU 1
#endif
#define __PRECIS_NORETURN __attribute__((__noreturn__))
#endif
