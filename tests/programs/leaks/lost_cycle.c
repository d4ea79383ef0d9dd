// properties: leaks
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
int main(void) {
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = head;
    head = 0; //! memory-leak
    return 0;
}
