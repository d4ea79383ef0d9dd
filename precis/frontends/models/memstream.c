/* Streams in memory. What such a stream holds can be seen at any time, not only after fflush. */
#define _GNU_SOURCE 1
#include "stream.h"
#include <errno.h>
#include <precis.h>
#include <stdlib.h>

struct area {
    FILE stream;
    char *bytes;
    size_t room;  /* how many bytes there are */
    size_t end;   /* how many have a content */
    size_t place; /* where the next one is read or written */
    char **shown; /* where open_memstream tells address and length; NULL if the area does not grow */
    size_t *shown_size;
    int owned; /* whether the bytes go with the stream */
};

static struct area *area_of(FILE *stream)
{
    return (struct area *)stream;
}

/* Room for n more bytes and a 0 behind them; 0 if there is none. */
static int reserve(struct area *area, size_t n)
{
    if (area->place + n < area->room)
        return 1;
    size_t room = 2 * area->room + n + 1;
    char *moved = realloc(area->bytes, room);
    if (!moved)
        return 0;
    area->bytes = moved;
    area->room = room;
    return 1;
}

static int put(const void *bytes, size_t n, FILE *stream)
{
    struct area *area = area_of(stream);
    size_t fits = area->place < area->room ? area->room - area->place : 0;
    if (area->shown ? !reserve(area, n) : n > fits) {
        stream->failed = 1;
        errno = area->shown ? ENOMEM : ENOSPC;
        return EOF;
    }
    __precis_copy(area->bytes + area->place, bytes, n);
    area->place += n;
    if (area->place > area->end)
        area->end = area->place;
    if (area->end < area->room)
        area->bytes[area->end] = 0;
    if (area->shown) {
        *area->shown = area->bytes;
        *area->shown_size = area->place;
    }
    return 0;
}

static int get(FILE *stream)
{
    struct area *area = area_of(stream);
    if (area->shown || area->place >= area->end) {
        stream->failed |= area->shown != NULL;
        stream->at_end |= area->shown == NULL;
        return EOF;
    }
    return (unsigned char)area->bytes[area->place++];
}

static void release(FILE *stream)
{
    if (area_of(stream)->owned)
        free(area_of(stream)->bytes);
    free(stream);
}

static const struct __precis_medium memory = {put, get, release};

static struct area *make_area(char *bytes, size_t room)
{
    struct area *area = malloc(sizeof *area);
    if (!area)
        return NULL;
    *area = (struct area){{-1, 0, 0, 0, EOF, &memory}, bytes, room, 0, 0, NULL, NULL, 0};
    return area;
}

FILE *open_memstream(char **text, size_t *size)
{
    char *bytes = calloc(1, 1);
    struct area *area = bytes ? make_area(bytes, 1) : NULL;
    if (!area) {
        free(bytes);
        return NULL;
    }
    area->shown = text;
    area->shown_size = size;
    *text = bytes;
    *size = 0;
    return &area->stream;
}

/* How far the content of an area goes that is opened to be read: to its end, or to a 0 if appended to. */
static size_t content(const char *bytes, size_t room, char mode)
{
    size_t n = 0;
    if (mode == 'r')
        return room;
    while (mode == 'a' && n < room && bytes[n])
        n++;
    return n;
}

FILE *fmemopen(void *restrict bytes, size_t room, const char *restrict mode)
{
    char first = *mode;
    if (first != 'r' && first != 'w' && first != 'a') {
        errno = EINVAL;
        return NULL;
    }
    char *own = bytes ? NULL : calloc(room ? room : 1, 1);
    struct area *area = bytes || own ? make_area(bytes ? bytes : own, room) : NULL;
    if (!area) {
        free(own);
        return NULL;
    }
    area->owned = own != NULL;
    area->end = content(area->bytes, room, first);
    area->place = first == 'a' ? area->end : 0;
    if (first == 'w' && room > 0)
        area->bytes[0] = 0;
    return &area->stream;
}
