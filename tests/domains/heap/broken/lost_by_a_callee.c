#include <stdlib.h>
struct box { int *item; };
static void empty(struct box *b) { b->item = 0; }
int main(void) { struct box b = {malloc(4)}; empty(&b); free(b.item); return 0; }
