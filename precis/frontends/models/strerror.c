/* The texts of error numbers. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define LONGEST 52
#define UNKNOWN 32 /* bytes of the text of a number without one */

static const char texts[][LONGEST] = {
    [0] = "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [ENXIO] = "No such device or address",
    [E2BIG] = "Argument list too long",
    [ENOEXEC] = "Exec format error",
    [EBADF] = "Bad file descriptor",
    [ECHILD] = "No child processes",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EFAULT] = "Bad address",
    [ENOTBLK] = "Block device required",
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [EXDEV] = "Invalid cross-device link",
    [ENODEV] = "No such device",
    [ENOTDIR] = "Not a directory",
    [EISDIR] = "Is a directory",
    [EINVAL] = "Invalid argument",
    [ENFILE] = "Too many open files in system",
    [EMFILE] = "Too many open files",
    [ENOTTY] = "Inappropriate ioctl for device",
    [ETXTBSY] = "Text file busy",
    [EFBIG] = "File too large",
    [ENOSPC] = "No space left on device",
    [ESPIPE] = "Illegal seek",
    [EROFS] = "Read-only file system",
    [EMLINK] = "Too many links",
    [EPIPE] = "Broken pipe",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [ENOSYS] = "Function not implemented",
    [ENOTEMPTY] = "Directory not empty",
    [EOVERFLOW] = "Value too large for defined data type",
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [EOPNOTSUPP] = "Operation not supported",
    [ETIMEDOUT] = "Connection timed out",
};

/* The text of an error number, or NULL if it has none. */
const char *__precis_error_text(int number)
{
    if (number < 0 || number >= (int)(sizeof texts / LONGEST))
        return NULL;
    return texts[number][0] ? texts[number] : NULL;
}

/* The text of a number without one, in UNKNOWN bytes. */
void __precis_unknown_error(char *to, int number)
{
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    int n = number < 0;
    for (unsigned left = rest; left > 9; left /= 10)
        n++;
    memcpy(to, "Unknown error -", 15);
    to += 14 + n;
    to[1] = 0;
    do
        *to-- = (char)('0' + rest % 10);
    while (rest /= 10);
}

char *strerror(int number)
{
    static char unknown[UNKNOWN];
    const char *text = __precis_error_text(number);
    if (text)
        return (char *)text;
    __precis_unknown_error(unknown, number);
    return unknown;
}

/* GNU's: the text, in `to` only if it is none of the fixed ones. */
char *strerror_r(int number, char *to, size_t room)
{
    char unknown[UNKNOWN];
    const char *text = __precis_error_text(number);
    if (text)
        return (char *)text;
    __precis_unknown_error(unknown, number);
    strlcpy(to, unknown, room);
    return to;
}

/* POSIX's: the text in `to`, and an error number. */
int __xpg_strerror_r(int number, char *to, size_t room)
{
    char unknown[UNKNOWN];
    const char *text = __precis_error_text(number);
    if (!text)
        __precis_unknown_error(unknown, number);
    if (strlcpy(to, text ? text : unknown, room) >= room)
        return ERANGE;
    return text ? 0 : EINVAL;
}
