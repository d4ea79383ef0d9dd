/* Of gcc's own, clang refuses ATOMIC_FLAG_INIT. */
#include "../headers/stdatomic.h"
