/* What gcc's limits.h takes for granted and clang calls otherwise. */
#ifndef __LONG_LONG_WIDTH__
#define __LONG_LONG_WIDTH__ __LLONG_WIDTH__
#endif
#include_next <limits.h>
