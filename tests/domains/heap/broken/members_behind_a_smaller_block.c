/* The first member is there, and so is what is read after it; the last one is not. */
#include <stdlib.h>
struct big { int first, second, third; };
static int *sum(struct big *big, int **at) {
    *at = &big->second;
    return big->first + **at > 3 ? &big->third : *at;
}
int main(int count, char **words) {
    int *cells = malloc(8), *at;
    if (!cells) return 0;
    cells[0] = count;
    cells[1] = 2;
    int *last = sum((struct big *)cells, &at);
    int found = *at + *last;
    free(cells);
    return found;
}
