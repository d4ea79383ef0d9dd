#include <stdlib.h>
struct node { struct node *next; };
static void drop(struct node *n) { free(n); }
int main(void) {
  struct node *a = malloc(sizeof *a);
  if (!a) return 0;
  a->next = malloc(sizeof *a);
  drop(a);
  return 0;
}
