/* Dates as text, in the "C" locale. */
#define _GNU_SOURCE 1
#include <time.h>

static const char *const weekdays[7] = {"Sunday", "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
static const char *const months[12] = {"January", "February", "March", "April", "May", "June", "July",
                                       "August", "September", "October", "November", "December"};

/* Text of at most `room` bytes; `size` counts also what did not fit. */
struct text {
    char *to;
    size_t room;
    size_t size;
};

static void add_char(struct text *out, char c)
{
    if (out->size < out->room)
        out->to[out->size] = c;
    out->size++;
}

static void add(struct text *out, const char *text, int most)
{
    for (; most > 0 && *text; most--)
        add_char(out, *text++);
}

static void add_number(struct text *out, long n, int width, char pad)
{
    char digits[24];
    int count = 0;
    unsigned long rest = n < 0 ? 0UL - (unsigned long)n : (unsigned long)n;
    if (n < 0)
        add_char(out, '-');
    do
        digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    for (; width > count; width--)
        add_char(out, pad);
    while (count > 0)
        add_char(out, digits[--count]);
}

static const char *name(const char *const *names, int count, int n)
{
    return n >= 0 && n < count ? names[n] : "?";
}

static void format_all(struct text *out, const char *format, const struct tm *t);

static int twelve(int hour)
{
    return hour % 12 == 0 ? 12 : hour % 12;
}

/* Conversions made of others. */
static const char *expansion(char c)
{
    switch (c) {
    case 'c': return "%a %b %e %H:%M:%S %Y";
    case 'D': case 'x': return "%m/%d/%y";
    case 'F': return "%Y-%m-%d";
    case 'r': return "%I:%M:%S %p";
    case 'R': return "%H:%M";
    case 'T': case 'X': return "%H:%M:%S";
    default: return NULL;
    }
}

static int convert(struct text *out, char c, const struct tm *t)
{
    switch (c) {
    case 'a': add(out, name(weekdays, 7, t->tm_wday), 3); break;
    case 'A': add(out, name(weekdays, 7, t->tm_wday), 20); break;
    case 'b': case 'h': add(out, name(months, 12, t->tm_mon), 3); break;
    case 'B': add(out, name(months, 12, t->tm_mon), 20); break;
    case 'C': add_number(out, (t->tm_year + 1900L) / 100, 2, '0'); break;
    case 'd': add_number(out, t->tm_mday, 2, '0'); break;
    case 'e': add_number(out, t->tm_mday, 2, ' '); break;
    case 'H': add_number(out, t->tm_hour, 2, '0'); break;
    case 'I': add_number(out, twelve(t->tm_hour), 2, '0'); break;
    case 'j': add_number(out, t->tm_yday + 1L, 3, '0'); break;
    case 'm': add_number(out, t->tm_mon + 1L, 2, '0'); break;
    case 'M': add_number(out, t->tm_min, 2, '0'); break;
    case 'n': add_char(out, '\n'); break;
    case 'p': add(out, t->tm_hour < 12 ? "AM" : "PM", 2); break;
    case 'S': add_number(out, t->tm_sec, 2, '0'); break;
    case 't': add_char(out, '\t'); break;
    case 'u': add_number(out, t->tm_wday ? t->tm_wday : 7, 1, '0'); break;
    case 'U': add_number(out, (t->tm_yday + 7L - t->tm_wday) / 7, 2, '0'); break;
    case 'w': add_number(out, t->tm_wday, 1, '0'); break;
    case 'W': add_number(out, (t->tm_yday + 7L - (t->tm_wday + 6) % 7) / 7, 2, '0'); break;
    case 'y': add_number(out, (t->tm_year % 100 + 100) % 100, 2, '0'); break;
    case 'Y': add_number(out, t->tm_year + 1900L, 1, '0'); break;
    case 'z': add(out, "+0000", 5); break;
    case 'Z': add(out, "UTC", 3); break;
    case '%': add_char(out, '%'); break;
    default: return 0;
    }
    return 1;
}

/* An unknown conversion stands for itself; so do the week-based ones (%g %G %V). */
static void format_all(struct text *out, const char *format, const struct tm *t)
{
    for (; *format; format++) {
        if (*format != '%' || !format[1]) {
            add_char(out, *format);
            continue;
        }
        format++;
        if ((*format == 'E' || *format == 'O') && format[1])
            format++;
        if (expansion(*format)) {
            format_all(out, expansion(*format), t);
        } else if (!convert(out, *format, t)) {
            add_char(out, '%');
            add_char(out, *format);
        }
    }
}

size_t strftime(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict t)
{
    struct text out = {to, room, 0};
    format_all(&out, format, t);
    if (out.size >= room)
        return 0;
    to[out.size] = 0;
    return out.size;
}

char *asctime_r(const struct tm *restrict t, char *restrict to)
{
    struct text out = {to, 26, 0};
    format_all(&out, "%a %b %e %H:%M:%S %Y\n", t);
    if (out.size >= 26)
        return NULL;
    to[out.size] = 0;
    return to;
}

static char shared[26];

char *asctime(const struct tm *t)
{
    return asctime_r(t, shared);
}

char *ctime_r(const time_t *restrict when, char *restrict to)
{
    struct tm t;
    return gmtime_r(when, &t) ? asctime_r(&t, to) : NULL;
}

char *ctime(const time_t *when)
{
    return ctime_r(when, shared);
}
