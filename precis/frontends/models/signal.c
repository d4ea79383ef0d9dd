/* Signals come only from raise and kill; nothing arrives by itself. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <precis.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 65, WORD = 8 * sizeof(long) };
static struct sigaction actions[SIGNALS];
static sigset_t blocked, waiting;

static int refuse(int reason)
{
    errno = reason;
    return -1;
}

static int is_signal(int number)
{
    return number > 0 && number < SIGNALS;
}

static unsigned long bit(int number)
{
    return 1UL << (unsigned)(number - 1) % WORD;
}

static int has(const sigset_t *set, int number)
{
    return (set->__bits[(unsigned)(number - 1) / WORD] & bit(number)) != 0;
}

int sigemptyset(sigset_t *set)
{
    __precis_fill(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    __precis_fill(set, 255, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return refuse(EINVAL);
    set->__bits[(unsigned)(number - 1) / WORD] |= bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return refuse(EINVAL);
    set->__bits[(unsigned)(number - 1) / WORD] &= ~bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    return is_signal(number) ? has(set, number) : refuse(EINVAL);
}

__precis_signal_handler signal(int number, __precis_signal_handler handler)
{
    struct sigaction before, wanted = {.sa_handler = handler, .sa_flags = SA_RESTART};
    return sigaction(number, &wanted, &before) ? SIG_ERR : before.sa_handler;
}

int sigaction(int number, const struct sigaction *restrict wanted, struct sigaction *restrict before)
{
    if (!is_signal(number) || (wanted && (number == SIGKILL || number == SIGSTOP)))
        return refuse(EINVAL);
    struct sigaction old = actions[number];
    if (wanted)
        actions[number] = *wanted;
    if (before)
        *before = old;
    return 0;
}

/* What happens by itself: most signals end the program. */
static void act_by_default(int number)
{
    if (number == SIGABRT)
        __precis_abort();
    if (number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH)
        __precis_halt(128 + number);
}

static void deliver(int number)
{
    struct sigaction now = actions[number];
    if (now.sa_flags & SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    if (now.sa_handler == SIG_DFL) {
        act_by_default(number);
    } else if (now.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number};
        now.sa_sigaction(number, &info, NULL);
    } else if (now.sa_handler != SIG_IGN) {
        now.sa_handler(number);
    }
}

int raise(int number)
{
    if (!is_signal(number))
        return refuse(EINVAL);
    if (has(&blocked, number) && number != SIGKILL && number != SIGSTOP)
        sigaddset(&waiting, number);
    else
        deliver(number);
    return 0;
}

int kill(pid_t process, int number)
{
    if (number < 0 || number >= SIGNALS)
        return refuse(EINVAL);
    if (process != getpid())
        return refuse(ESRCH);
    return number ? raise(number) : 0;
}

static void deliver_waiting(void)
{
    for (int number = 1; number < SIGNALS; number++)
        if (has(&waiting, number) && !has(&blocked, number)) {
            sigdelset(&waiting, number);
            deliver(number);
        }
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before)
{
    sigset_t old = blocked;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return refuse(EINVAL);
    for (int number = 1; set && number < SIGNALS; number++) {
        if (how == SIG_SETMASK ? has(set, number) : how == SIG_BLOCK && has(set, number))
            sigaddset(&blocked, number);
        else if (how == SIG_SETMASK || (how == SIG_UNBLOCK && has(set, number)))
            sigdelset(&blocked, number);
    }
    if (before)
        *before = old;
    deliver_waiting();
    return 0;
}

char *strsignal(int number)
{
    static const char *const texts[] = {
        [SIGHUP] = "Hangup", [SIGINT] = "Interrupt", [SIGQUIT] = "Quit",
        [SIGILL] = "Illegal instruction", [SIGTRAP] = "Trace/breakpoint trap",
        [SIGABRT] = "Aborted", [SIGBUS] = "Bus error", [SIGFPE] = "Floating point exception",
        [SIGKILL] = "Killed", [SIGUSR1] = "User defined signal 1",
        [SIGSEGV] = "Segmentation fault", [SIGUSR2] = "User defined signal 2",
        [SIGPIPE] = "Broken pipe", [SIGALRM] = "Alarm clock", [SIGTERM] = "Terminated",
        [SIGCHLD] = "Child exited", [SIGCONT] = "Continued", [SIGSTOP] = "Stopped (signal)",
    };
    int known = number > 0 && (size_t)number < sizeof texts / sizeof *texts && texts[number];
    return (char *)(known ? texts[number] : "Unknown signal");
}
