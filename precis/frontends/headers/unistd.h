#ifndef _UNISTD_H
#define _UNISTD_H
#include <features.h>
#include <precis_types.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
int getopt(int count, char *const args[], const char *options);

ssize_t read(int fd, void *to, size_t n);
ssize_t write(int fd, const void *from, size_t n);
int close(int fd);
off_t lseek(int fd, off_t offset, int whence);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *to, size_t room);
int isatty(int fd);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
pid_t fork(void);
int execv(const char *path, char *const args[]);
int execvp(const char *file, char *const args[]);
int pipe(int ends[2]);
int dup(int fd);
int dup2(int fd, int wanted);
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
unsigned alarm(unsigned seconds);
int getpagesize(void);
gid_t getegid(void);
int gethostname(char *to, size_t room);
int fsync(int fd);
int ftruncate(int fd, off_t size);
void swab(const void *__restrict from, void *__restrict to, ssize_t n);
ssize_t readlink(const char *__restrict path, char *__restrict to, size_t room);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
int truncate(const char *path, off_t size);
long sysconf(int name);
void _exit(int status) __PRECIS_NORETURN;
#endif
