/* What is written through one struct is read through another one: they share their bytes. */
#include <assert.h>
#include <stdlib.h>

struct door { int number; int *key; };
struct room { int width; int *lamp; };

static int *both(struct door *door, struct room *room, int *one, int *two)
{
    door->key = one;
    room->lamp = two;
    return door->key;
}

int main(void)
{
    int one = 1, two = 2;
    void *bytes = malloc(sizeof(struct door));
    if (!bytes)
        return 0;
    assert(*both(bytes, bytes, &one, &two) == 1);
    free(bytes);
    return 0;
}
