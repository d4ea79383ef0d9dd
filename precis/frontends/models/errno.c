/* errno and the texts of its values. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stddef.h>
#include <string.h>

int errno = 0;

int *__errno_location(void)
{
    return &errno;
}

/* The text of an error number, or NULL if it has none. */
const char *__precis_error_text(int number)
{
    switch (number) {
    case 0: return "Success";
    case EPERM: return "Operation not permitted";
    case ENOENT: return "No such file or directory";
    case ESRCH: return "No such process";
    case EINTR: return "Interrupted system call";
    case EIO: return "Input/output error";
    case ENXIO: return "No such device or address";
    case E2BIG: return "Argument list too long";
    case ENOEXEC: return "Exec format error";
    case EBADF: return "Bad file descriptor";
    case ECHILD: return "No child processes";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case EACCES: return "Permission denied";
    case EFAULT: return "Bad address";
    case ENOTBLK: return "Block device required";
    case EBUSY: return "Device or resource busy";
    case EEXIST: return "File exists";
    case EXDEV: return "Invalid cross-device link";
    case ENODEV: return "No such device";
    case ENOTDIR: return "Not a directory";
    case EISDIR: return "Is a directory";
    case EINVAL: return "Invalid argument";
    case ENFILE: return "Too many open files in system";
    case EMFILE: return "Too many open files";
    case ENOTTY: return "Inappropriate ioctl for device";
    case ETXTBSY: return "Text file busy";
    case EFBIG: return "File too large";
    case ENOSPC: return "No space left on device";
    case ESPIPE: return "Illegal seek";
    case EROFS: return "Read-only file system";
    case EMLINK: return "Too many links";
    case EPIPE: return "Broken pipe";
    case EDOM: return "Numerical argument out of domain";
    case ERANGE: return "Numerical result out of range";
    case EDEADLK: return "Resource deadlock avoided";
    case ENAMETOOLONG: return "File name too long";
    case ENOSYS: return "Function not implemented";
    case ENOTEMPTY: return "Directory not empty";
    case EOVERFLOW: return "Value too large for defined data type";
    case EILSEQ: return "Invalid or incomplete multibyte or wide character";
    case EOPNOTSUPP: return "Operation not supported";
    case ETIMEDOUT: return "Connection timed out";
    default: return NULL;
    }
}

/* The text of any number; the place for one without a text has 32 bytes. */
static const char *text_of(int number, char *place)
{
    const char *text = __precis_error_text(number);
    if (text)
        return text;
    char digits[12];
    int n = 0;
    char *to = place;
    for (text = "Unknown error "; *text; text++)
        *to++ = *text;
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    if (number < 0)
        *to++ = '-';
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (n > 0)
        *to++ = digits[--n];
    *to = 0;
    return place;
}

char *strerror(int number)
{
    static char unknown[32];
    return (char *)text_of(number, unknown);
}

/* GNU's: the text, in `to` only if it is none of the fixed ones. */
char *strerror_r(int number, char *to, size_t room)
{
    char unknown[32];
    const char *text = text_of(number, unknown);
    if (text != unknown)
        return (char *)text;
    strlcpy(to, text, room);
    return to;
}

/* POSIX's: the text in `to`, and an error number. */
int __xpg_strerror_r(int number, char *to, size_t room)
{
    char unknown[32];
    const char *text = text_of(number, unknown);
    if (strlcpy(to, text, room) >= room)
        return ERANGE;
    return text == unknown ? EINVAL : 0;
}
