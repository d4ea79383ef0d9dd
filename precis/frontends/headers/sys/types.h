#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <features.h>
#include <precis_types.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
#ifdef __PRECIS_POSIX
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned u_int32_t;
__extension__ typedef __UINT64_TYPE__ u_int64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
__extension__ typedef __INT64_TYPE__ int64_t;
#endif
#endif
