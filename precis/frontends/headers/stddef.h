#ifndef _STDDEF_H
#define _STDDEF_H
#include <precis_types.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef struct {
    __extension__ long long __integer __attribute__((__aligned__(__alignof__(long long))));
    long double __floating __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
