#ifndef _SIGNAL_H
#define _SIGNAL_H
#include <features.h>
#include <sys/types.h>

typedef int sig_atomic_t;
typedef void (*__precis_signal_handler)(int);
#ifdef __PRECIS_GNU
typedef __precis_signal_handler sighandler_t;
#endif

#define SIG_DFL ((__precis_signal_handler)0)
#define SIG_IGN ((__precis_signal_handler)1)
#define SIG_ERR ((__precis_signal_handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGWINCH 28
#define NSIG 65

__precis_signal_handler signal(int number, __precis_signal_handler handler);
int raise(int number);
#ifdef __PRECIS_POSIX
typedef struct {
    unsigned long __bits[128 / sizeof(long)];
} sigset_t;
typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
    char __rest[128 - 24 - sizeof(void *)];
} siginfo_t;
struct sigaction {
    union {
        __precis_signal_handler __handler;
        void (*__action)(int, siginfo_t *, void *);
    } __how;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler __how.__handler
#define sa_sigaction __how.__action
#define SA_NOCLDSTOP 1
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
int kill(pid_t process, int number);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigaction(int number, const struct sigaction *__restrict wanted, struct sigaction *__restrict before);
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict before);
#endif
#endif
