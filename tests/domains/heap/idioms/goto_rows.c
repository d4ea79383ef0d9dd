// An array of rows; if one cannot be had, those before it are freed
#include <stdio.h>
#include <stdlib.h>

#define ROWS 3

struct grid {
    int **rows;
    int width;
};

static int make(struct grid *g, int width) {
    int i;
    g->width = width;
    g->rows = malloc(ROWS * sizeof *g->rows);
    if (!g->rows)
        return -1;
    for (i = 0; i < ROWS; i++) {
        g->rows[i] = malloc((size_t)width * sizeof **g->rows);
        if (!g->rows[i])
            goto undo;
        g->rows[i][width - 1] = i;
    }
    return 0;

undo:
#ifdef BUG
    while (--i > 0)
#else
    while (--i >= 0)
#endif
        free(g->rows[i]);
    free(g->rows); /*L*/
    return -1;
}

static void drop(struct grid *g) {
    for (int i = 0; i < ROWS; i++)
        free(g->rows[i]);
    free(g->rows);
}

int main(void) {
    struct grid g;
    int width;
    if (scanf("%d", &width) != 1 || width < 1 || width > 100)
        return 1;
    if (make(&g, width) != 0)
        return 2;
    g.rows[0][0] = g.rows[ROWS - 1][width - 1];
    drop(&g);
    return 0;
}
