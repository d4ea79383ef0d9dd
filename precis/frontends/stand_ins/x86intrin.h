/* gcc's header is written in gcc's builtins, which clang does not have. Vectors are not lowered
   anyway: a function that uses them is known as unsupported, and the rest of its file is read. */
#ifndef _PRECIS_X86INTRIN_H
#define _PRECIS_X86INTRIN_H
#include <immintrin.h>
#endif
