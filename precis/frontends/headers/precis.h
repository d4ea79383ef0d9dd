/* What library models may use beyond C; the front end gives each name its meaning. */
#ifndef _PRECIS_H
#define _PRECIS_H
#include <precis_types.h>

/* Bytes from p to the end of the live block it points into; 0 if there is none. */
size_t __precis_size(const void *p);
/* End the program now, with this status. */
void __precis_halt(int status) __attribute__((__noreturn__));
/* End the program as SIGABRT does: status 134. */
void __precis_abort(void) __attribute__((__noreturn__));
/* Bytes out, on descriptor 1 or 2; gives n, or -1 if they could not be written. */
int __precis_write(int fd, const void *bytes, size_t n);
/* Bytes in, from descriptor 0; gives how many came, 0 at the end. */
long __precis_read(int fd, void *bytes, size_t n);
/* n bytes from `from` to `to`, which may overlap; nothing is touched if n is 0. */
void __precis_copy(void *to, const void *from, size_t n);
/* n bytes, each set to (unsigned char)byte; nothing is touched if n is 0. */
void __precis_fill(void *to, int byte, size_t n);
#endif
