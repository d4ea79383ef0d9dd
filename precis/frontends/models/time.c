/* <time.h>. Clocks are chosen by the verifier: never negative, below 2^31, never running back.
   The local zone is UTC. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <sys/time.h>
#include <time.h>

long __VERIFIER_nondet_long(void);

static long later(long *last)
{
    long now = __VERIFIER_nondet_long() & 0x7fffffff;
    if (now < *last)
        now = *last;
    *last = now;
    return now;
}

static long wall_clock(void)
{
    static long last;
    return later(&last);
}

time_t time(time_t *to)
{
    time_t now = wall_clock();
    if (to)
        *to = now;
    return now;
}

clock_t clock(void)
{
    static long last;
    return later(&last);
}

int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    (void)zone;
    to->tv_sec = wall_clock();
    to->tv_usec = 0;
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *to)
{
    if (clock < 0) {
        errno = EINVAL;
        return -1;
    }
    to->tv_sec = wall_clock();
    to->tv_nsec = 0;
    return 0;
}

int timespec_get(struct timespec *to, int base)
{
    if (base != TIME_UTC)
        return 0;
    to->tv_sec = wall_clock();
    to->tv_nsec = 0;
    return base;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    if (wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999 || wanted->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

double difftime(time_t late, time_t early)
{
    return (double)late - (double)early;
}

static int is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_days(long long year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 1 && is_leap(year));
}

/* 400 years are 146097 days; 1970 - 370 = 1600 starts such a cycle, 135140 days before 1970. */
enum { CYCLE = 146097, TO_1600 = 135140 };

static struct tm *split(time_t when, struct tm *to)
{
    long long second = (long long)when % 86400, day = (long long)when / 86400;
    if (second < 0) {
        second += 86400;
        day--;
    }
    to->tm_wday = (int)(((day + 4) % 7 + 7) % 7);
    day += TO_1600;
    long long cycle = day / CYCLE;
    if ((day %= CYCLE) < 0) {
        day += CYCLE;
        cycle--;
    }
    long long year = 1600 + 400 * cycle;
    for (; day >= 365 + is_leap(year); year++)
        day -= 365 + is_leap(year);
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    to->tm_year = (int)(year - 1900);
    to->tm_yday = (int)day;
    for (to->tm_mon = 0; day >= month_days(year, to->tm_mon); to->tm_mon++)
        day -= month_days(year, to->tm_mon);
    to->tm_mday = (int)day + 1;
    to->tm_hour = (int)(second / 3600);
    to->tm_min = (int)(second / 60 % 60);
    to->tm_sec = (int)(second % 60);
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = "UTC";
    return to;
}

/* Fields may lie outside their ranges; they are brought back in. */
static time_t join(struct tm *parts)
{
    long long year = 1900LL + parts->tm_year + parts->tm_mon / 12;
    int month = parts->tm_mon % 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    long long past = year - 1600, cycle = past / 400;
    if ((past %= 400) < 0) {
        past += 400;
        cycle--;
    }
    long long day = cycle * CYCLE - TO_1600 + parts->tm_mday - 1;
    for (int i = 0; i < past; i++)
        day += 365 + is_leap(i);
    for (int i = 0; i < month; i++)
        day += month_days(year, i);
    long long when = day * 86400 + parts->tm_hour * 3600LL + parts->tm_min * 60LL + parts->tm_sec;
    if (when != (time_t)when || !split((time_t)when, parts)) {
        errno = EOVERFLOW;
        return -1;
    }
    return (time_t)when;
}

static struct tm shared;

struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) { return split(*when, to); }
struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) { return split(*when, to); }
struct tm *gmtime(const time_t *when) { return split(*when, &shared); }
struct tm *localtime(const time_t *when) { return split(*when, &shared); }
time_t mktime(struct tm *parts) { return join(parts); }
time_t timegm(struct tm *parts) { return join(parts); }

int clock_getres(clockid_t clock, struct timespec *to)
{
    if (clock < 0) {
        errno = EINVAL;
        return -1;
    }
    if (to)
        *to = (struct timespec){0, 1};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    (void)flags;
    (void)left;
    return clock < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999 ? EINVAL : 0;
}

void tzset(void)
{
}
