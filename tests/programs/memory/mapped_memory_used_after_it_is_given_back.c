#include <sys/mman.h>
int main(void) {
    char *at = mmap(0, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 0;
    at[63] = 1;
    munmap(at, 64);
    return at[63]; //! use-after-free
}
