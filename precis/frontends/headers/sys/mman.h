#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H
#include <stddef.h>
#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_NORESERVE 16384
#define MAP_POPULATE 32768
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4

void *mmap(void *wanted, size_t size, int protection, int flags, int fd, off_t offset);
int munmap(void *at, size_t size);
int mprotect(void *at, size_t size, int protection);
int madvise(void *at, size_t size, int advice);
int msync(void *at, size_t size, int flags);
int mlock(const void *at, size_t size);
int munlock(const void *at, size_t size);
#endif
