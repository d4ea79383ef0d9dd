/* Signals come only from raise; nothing arrives by itself. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <precis.h>
#include <signal.h>

enum { SIGNALS = 65 };
static __precis_signal_handler handlers[SIGNALS];

static int is_signal(int number)
{
    if (number > 0 && number < SIGNALS)
        return 1;
    errno = EINVAL;
    return 0;
}

__precis_signal_handler signal(int number, __precis_signal_handler handler)
{
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __precis_signal_handler before = handlers[number];
    handlers[number] = handler;
    return before;
}

int raise(int number)
{
    if (!is_signal(number))
        return -1;
    __precis_signal_handler handler = handlers[number];
    if (handler == SIG_IGN || (handler == SIG_DFL && (number == SIGCHLD || number == SIGCONT)))
        return 0;
    if (handler != SIG_DFL)
        handler(number);
    else if (number == SIGABRT)
        __precis_abort();
    else
        __precis_halt(128 + number);
    return 0;
}
