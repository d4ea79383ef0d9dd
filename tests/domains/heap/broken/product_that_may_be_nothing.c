#include <stdlib.h>
int __VERIFIER_nondet_int(void);
/* Nothing keeps columns from being 0. */
int main(void)
{
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows <= 0 || columns < 0 || rows > 10 || columns > 10)
        return 0;
    int *cells = malloc((size_t)(rows * columns) * sizeof *cells);
    if (cells)
        cells[rows * columns - 1] = 1;
    free(cells);
    return 0;
}
