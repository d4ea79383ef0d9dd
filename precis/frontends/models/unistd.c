/* The small part of <unistd.h> that a program without files and processes can use. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <precis.h>
#include <sched.h>
#include <sys/stat.h>
#include <stdlib.h>
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

int sched_yield(void)
{
    return 0;
}

unsigned alarm(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int getpagesize(void)
{
    return 4096;
}

/* Some user, the same at each call, who may be root. */
static unsigned user(void)
{
    static unsigned self;
    static int known;
    if (!known) {
        self = (unsigned)__VERIFIER_nondet_int();
        known = 1;
    }
    return self;
}

uid_t getuid(void) { return user(); }
uid_t geteuid(void) { return user(); }
gid_t getgid(void) { return user(); }
gid_t getegid(void) { return user(); }

/* There is one folder. */
char *getcwd(char *to, size_t room)
{
    if (to && room == 0) {
        errno = EINVAL;
        return NULL;
    }
    if (to && room < 2) {
        errno = ERANGE;
        return NULL;
    }
    if (!to && !(to = malloc(room < 2 ? 2 : room)))
        return NULL;
    to[0] = '/';
    to[1] = 0;
    return to;
}

int gethostname(char *to, size_t room)
{
    static const char name[] = "localhost";
    __precis_copy(to, name, room < sizeof name ? room : sizeof name);
    if (room >= sizeof name)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

static int no_descriptor(void)
{
    errno = EMFILE;
    return -1;
}

int dup(int fd)
{
    (void)fd;
    return no_descriptor();
}

int dup2(int fd, int wanted)
{
    if (fd == wanted && fd >= 0 && fd <= 2)
        return fd;
    return no_descriptor();
}

int pipe(int ends[2])
{
    (void)ends;
    return no_descriptor();
}

int fsync(int fd)
{
    errno = fd >= 0 && fd <= 2 ? EINVAL : EBADF;
    return -1;
}

int ftruncate(int fd, off_t size)
{
    (void)size;
    return fsync(fd);
}

/* Pairs of bytes in the other order; an odd one at the end is left out. */
void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    const char *x = from;
    char *y = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char low = x[i], high = x[i + 1];
        y[i] = high;
        y[i + 1] = low;
    }
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
