#ifndef _TIME_H
#define _TIME_H
#include <features.h>
#include <precis_types.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2

typedef long time_t;
typedef long clock_t;
#ifdef __PRECIS_POSIX
typedef int clockid_t;
#endif

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
#ifndef __PRECIS_TIMESPEC
#define __PRECIS_TIMESPEC
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif

clock_t clock(void);
time_t time(time_t *to);
double difftime(time_t late, time_t early);
time_t mktime(struct tm *parts);
struct tm *gmtime(const time_t *when);
struct tm *localtime(const time_t *when);
char *asctime(const struct tm *parts);
char *ctime(const time_t *when);
size_t strftime(char *__restrict to, size_t room, const char *__restrict format,
                const struct tm *__restrict parts);
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L) || defined(__PRECIS_POSIX)
int timespec_get(struct timespec *to, int base);
#endif
#ifdef __PRECIS_POSIX
struct tm *gmtime_r(const time_t *__restrict when, struct tm *__restrict to);
struct tm *localtime_r(const time_t *__restrict when, struct tm *__restrict to);
char *asctime_r(const struct tm *__restrict parts, char *__restrict to);
char *ctime_r(const time_t *__restrict when, char *__restrict to);
time_t timegm(struct tm *parts);
int clock_gettime(clockid_t clock, struct timespec *to);
int clock_getres(clockid_t clock, struct timespec *to);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);
void tzset(void);
int nanosleep(const struct timespec *wanted, struct timespec *left);
#endif
#endif
