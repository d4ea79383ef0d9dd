/* Allocation over malloc and free. malloc(0) gives a block of size 0 that is to be freed; realloc(p, 0)
   frees p and gives NULL; realloc always moves. A request above PTRDIFF_MAX fails. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <malloc.h>
#include <precis.h>
#include <stdint.h>
#include <stdlib.h>

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = malloc(count * size);
    if (block)
        __precis_fill(block, 0, count * size);
    return block;
}

/* Copies no more than the old block has, so that a bad pointer is judged by free. */
static void *resize(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    if (size == 0) {
        free(old);
        return NULL;
    }
    void *block = malloc(size);
    if (!block)
        return NULL;
    size_t kept = __precis_size(old);
    __precis_copy(block, old, kept < size ? kept : size);
    free(old);
    return block;
}

void *realloc(void *old, size_t size)
{
    return resize(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(old, count * size);
}

/* Alignment is a matter of addresses only: these blocks are as malloc's. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return malloc(size);
}

void *memalign(size_t alignment, size_t size)
{
    (void)alignment;
    return malloc(size);
}

void *valloc(size_t size)
{
    return malloc(size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *made = malloc(size);
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

size_t malloc_usable_size(void *block)
{
    return __precis_size(block);
}
