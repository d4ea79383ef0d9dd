// Three blocks, freed in the order opposite to that of their making
#include <stdio.h>
#include <stdlib.h>

struct header {
    int rows, columns;
};

struct table {
    struct header *header;
    int *cells;
};

static struct table *new_table(int rows, int columns) {
    struct table *t = malloc(sizeof *t);
    if (!t)
        goto no_table;
    t->header = malloc(sizeof *t->header);
    if (!t->header)
        goto no_header;
    t->header->rows = rows;
    t->header->columns = columns;
    if (rows <= 0 || columns <= 0 || rows > 10 || columns > 10)
        goto no_cells;
    t->cells = calloc((size_t)(rows * columns), sizeof *t->cells);
    if (!t->cells)
#ifdef BUG
        goto no_header;
#else
        goto no_cells;
#endif
    return t;

no_cells:
    free(t->header);
no_header:
    free(t); /*L*/
no_table:
    return NULL;
}

static void free_table(struct table *t) {
    if (!t)
        return;
    free(t->cells);
    free(t->header);
    free(t);
}

int main(void) {
    int rows, columns;
    struct table *t;
    if (scanf("%d %d", &rows, &columns) != 2)
        return 1;
    t = new_table(rows, columns);
    if (t)
        t->cells[t->header->rows * t->header->columns - 1] = 1;
    free_table(t);
    return 0;
}
