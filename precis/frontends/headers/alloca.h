#ifndef _ALLOCA_H
#define _ALLOCA_H
#include <precis_types.h>
#undef alloca
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
#endif
