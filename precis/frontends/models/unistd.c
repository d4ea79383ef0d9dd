/* The small part of <unistd.h> that a program without files and processes can use. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <precis.h>
#include <sys/stat.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);

ssize_t read(int fd, void *to, size_t n)
{
    if (fd != 0) {
        errno = EBADF;
        return -1;
    }
    return __precis_read(fd, to, n);
}

ssize_t write(int fd, const void *from, size_t n)
{
    if (fd != 1 && fd != 2) {
        errno = EBADF;
        return -1;
    }
    return __precis_write(fd, from, n) < 0 ? -1 : (ssize_t)n;
}

int close(int fd)
{
    if (fd >= 0 && fd <= 2)
        return 0;
    errno = EBADF;
    return -1;
}

off_t lseek(int fd, off_t offset, int whence)
{
    (void)offset;
    (void)whence;
    errno = fd >= 0 && fd <= 2 ? ESPIPE : EBADF;
    return -1;
}

int fstat(int fd, struct stat *to)
{
    (void)fd;
    (void)to;
    errno = EBADF;
    return -1;
}

int isatty(int fd)
{
    errno = fd >= 0 && fd <= 2 ? ENOTTY : EBADF;
    return 0;
}

/* Some positive number, the same at each call. */
pid_t getpid(void)
{
    static pid_t self;
    if (self == 0)
        self = (__VERIFIER_nondet_int() & 0x7fff) + 2;
    return self;
}

pid_t getppid(void)
{
    return 1;
}

/* Time passes only in the clocks. */
unsigned sleep(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return 0;
}

long sysconf(int name)
{
    if (name == _SC_PAGESIZE)
        return 4096;
    if (name == _SC_NPROCESSORS_ONLN)
        return 1;
    errno = EINVAL;
    return -1;
}
