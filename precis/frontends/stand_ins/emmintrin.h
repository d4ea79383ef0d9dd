/* See x86intrin.h. */
#include <immintrin.h>
