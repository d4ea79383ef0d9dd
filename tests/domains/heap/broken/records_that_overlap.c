/* One struct lies in the middle of another one that has no such member. */
#include <assert.h>
#include <stdlib.h>

struct door { long a, b; int *key; };
struct room { long c; int *lamp; };

static int *inner(struct room *room, int *two) { room->lamp = two; return room->lamp; }

static int *both(struct door *door, struct room *room, int *one, int *two)
{
    door->key = one;
    inner(room, two);
    return door->key;
}

int main(void)
{
    int one = 1, two = 2;
    struct door *door = malloc(sizeof *door);
    if (!door)
        return 0;
    assert(*both(door, (struct room *)&door->b, &one, &two) == 1);
    free(door);
    return 0;
}
