/* The ways a program ends. exit runs the handlers, last registered first; at most 64 fit. */
#define _GNU_SOURCE 1
#include <precis.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 64 };
static void (*handlers[ROOM])(void);
static int registered;
static void (*quick_handlers[ROOM])(void);
static int registered_quick;

int atexit(void (*handler)(void))
{
    if (registered == ROOM)
        return -1;
    handlers[registered++] = handler;
    return 0;
}

int at_quick_exit(void (*handler)(void))
{
    if (registered_quick == ROOM)
        return -1;
    quick_handlers[registered_quick++] = handler;
    return 0;
}

/* A handler may register more; each runs once. */
void exit(int status)
{
    while (registered > 0)
        handlers[--registered]();
    __precis_halt(status & 255);
}

void quick_exit(int status)
{
    while (registered_quick > 0)
        quick_handlers[--registered_quick]();
    __precis_halt(status & 255);
}

void _Exit(int status)
{
    __precis_halt(status & 255);
}

void _exit(int status)
{
    __precis_halt(status & 255);
}

void abort(void)
{
    __precis_abort();
}
