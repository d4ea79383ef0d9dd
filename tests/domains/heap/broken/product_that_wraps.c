#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
/* 65536 * 65536 is 0. */
int main(void)
{
    unsigned rows = __VERIFIER_nondet_uint(), columns = __VERIFIER_nondet_uint();
    if (rows < 1 || columns < 1 || rows > 70000 || columns > 70000)
        return 0;
    char *cells = malloc(rows * columns);
    if (cells)
        cells[rows * columns - 1] = 1;
    free(cells);
    return 0;
}
