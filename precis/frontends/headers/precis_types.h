/* The types and NULL that many headers share; all that gcc's <stddef.h> gives to other headers. */
#ifndef _PRECIS_TYPES_H
#define _PRECIS_TYPES_H
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
#undef NULL
#define NULL ((void *)0)
#endif
