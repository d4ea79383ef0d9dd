/* Functions beyond ISO C whose results are the same everywhere. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void paths(void)
{
    const char *given[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "a//b//", "//x", "a/", "///"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char *first = strdup(given[i]), *second = strdup(given[i]);
        printf("[%s] [%s]\n", dirname(first), basename(second));
        free(first);
        free(second);
    }
}

static void numbers(void)
{
    unsigned short own[3] = {1, 2, 3};
    printf("%ld\n", lrand48());
    srand48(42);
    printf("%ld ", lrand48());
    printf("%ld ", mrand48());
    printf("%.9f\n", drand48());
    printf("%ld ", nrand48(own));
    printf("%ld ", jrand48(own));
    printf("%.9f %d\n", erand48(own), own[1] > 0);
}

static void texts(void)
{
    char to[40] = "secret";
    explicit_bzero(to, 3);
    printf("%d%c\n", to[0], to[3]);
    printf("%s %s\n", strerror_r(ENOENT, to, sizeof to), strsignal(SIGSEGV));
    printf("%s\n", strerror_r(12345, to, sizeof to));
    printf("%s\n", strerror_r(12345, to, 9));
    swab("abcdef", to, 5);
    printf("%.4s\n", to);
    printf("%d\n", getcwd(to, 1) == NULL);
}

static void pages(void)
{
    char *at = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    at[4999] = 'x';
    printf("%d %c\n", at[17], at[4999]);
    printf("%d\n", munmap(at, 5000));
    printf("%d\n", mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED && errno == EBADF);
    printf("%d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

static volatile int seen;
static void note(int number) { seen = seen * 100 + number; }
static void note_more(int number, siginfo_t *info, void *context)
{
    (void)context;
    seen = seen * 100 + number + (info->si_signo == number);
}

static void signals(void)
{
    sigset_t set, before;
    struct sigaction action = {.sa_handler = note}, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    printf("%d %d", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2));
    printf(" %d %d\n", sigaddset(&set, 99), sigaction(SIGKILL, &action, NULL));
    sigaction(SIGUSR1, &action, &old);
    printf("%d ", old.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    printf("%d ", seen);
    sigprocmask(SIG_SETMASK, &before, NULL);
    printf("%d\n", seen);
    action.sa_sigaction = note_more;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, NULL);
    kill(getpid(), SIGUSR2);
    printf("%d\n", seen);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == note);
}

static void wide(void)
{
    mbstate_t state = {0};
    wchar_t text[] = L"a b;c", *rest, c = 0, copy[8];
    const char *from = "hello";
    char back[8];
    const wchar_t *again = copy;
    for (wchar_t *part = wcstok(text, L" ;", &rest); part; part = wcstok(NULL, L" ;", &rest))
        printf("%d ", (int)*part);
    printf("%d ", (int)mbrtowc(&c, "xy", 2, &state));
    printf("%d ", (int)c);
    printf("%d %d\n", (int)mbrlen("", 0, &state), (int)mbrlen("", 1, &state));
    printf("%d", (int)mbsrtowcs(copy, &from, 8, &state));
    printf(" %d %d", from == NULL, (int)wcsrtombs(back, &again, 3, &state));
    printf(" %d %.3s\n", (int)(again - copy), back);
    printf("%d %d %d\n", wcscasecmp(L"ABC", L"abd") < 0, wcsncasecmp(L"ABC", L"abd", 2),
           (int)(wcpcpy(copy, L"xyz") - copy));
}

int main(void)
{
    struct timespec resolution = {9, 9};
    paths();
    numbers();
    texts();
    pages();
    signals();
    wide();
    tzset();
    printf("%d\n", clock_getres(CLOCK_REALTIME, &resolution));
    printf("%ld\n", (long)resolution.tv_sec);
    printf("%d %d\n", getpagesize(), clearenv());
    return 0;
}
