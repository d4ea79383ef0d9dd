/* qsort is stable and asks nothing of the comparison but an answer: whatever it says, every element
   stays in the array and nothing else is touched. */
#define _GNU_SOURCE 1
#include <alloca.h>
#include <precis.h>
#include <stdlib.h>

static void move_down(char *base, size_t size, size_t from, size_t to, char *held)
{
    __precis_copy(held, base + from * size, size);
    __precis_copy(base + (to + 1) * size, base + to * size, (from - to) * size);
    __precis_copy(base + to * size, held, size);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count < 2 || size == 0)
        return;
    char *items = base;
    char *held = alloca(size);
    for (size_t i = 1; i < count; i++) {
        size_t low = 0, high = i;
        if (compare(items + (i - 1) * size, items + i * size) <= 0)
            continue;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (compare(items + middle * size, items + i * size) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < i)
            move_down(items, size, i, low, held);
    }
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *context)
{
    if (count < 2 || size == 0)
        return;
    char *items = base;
    char *held = alloca(size);
    for (size_t i = 1; i < count; i++) {
        size_t low = 0, high = i;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (compare(items + middle * size, items + i * size, context) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < i)
            move_down(items, size, i, low, held);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const char *items = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *item = items + middle * size;
        int order = compare(key, item);
        if (order == 0)
            return (void *)item;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
