/* Memory from mmap is a block like malloc's, filled with zeros, that munmap frees as a whole. Only
   anonymous memory can be had: there are no files. Protection is not modelled. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <precis.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *refuse(int reason)
{
    errno = reason;
    return MAP_FAILED;
}

void *mmap(void *wanted, size_t size, int protection, int flags, int fd, off_t offset)
{
    (void)wanted;
    (void)protection;
    (void)fd;
    (void)offset;
    if (size == 0 || !(flags & (MAP_PRIVATE | MAP_SHARED)) || (flags & MAP_FIXED))
        return refuse(EINVAL);
    if (!(flags & MAP_ANONYMOUS))
        return refuse(EBADF);
    void *block = calloc(size, 1);
    return block ? block : refuse(ENOMEM);
}

/* A part of a block cannot be given back; it stays as it is. */
int munmap(void *at, size_t size)
{
    if (size == 0) {
        errno = EINVAL;
        return -1;
    }
    if (size >= __precis_size(at))
        free(at);
    return 0;
}

int mprotect(void *at, size_t size, int protection)
{
    (void)at;
    (void)size;
    (void)protection;
    return 0;
}

int madvise(void *at, size_t size, int advice)
{
    (void)at;
    (void)size;
    (void)advice;
    return 0;
}

int msync(void *at, size_t size, int flags)
{
    (void)at;
    (void)size;
    (void)flags;
    return 0;
}

int mlock(const void *at, size_t size)
{
    (void)at;
    (void)size;
    return 0;
}

int munlock(const void *at, size_t size)
{
    (void)at;
    (void)size;
    return 0;
}
