/* Atomic types and operations; they mean what they do without threads (docs/assumptions.md, 21). */
#ifndef _STDATOMIC_H
#define _STDATOMIC_H
#include <precis_prelude.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
} memory_order;

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
__extension__ typedef _Atomic(long long) atomic_llong;
__extension__ typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(wchar_t) atomic_wchar_t;
typedef _Atomic(__CHAR16_TYPE__) atomic_char16_t;
typedef _Atomic(__CHAR32_TYPE__) atomic_char32_t;
typedef _Atomic(int_least8_t) atomic_int_least8_t;
typedef _Atomic(uint_least8_t) atomic_uint_least8_t;
typedef _Atomic(int_least16_t) atomic_int_least16_t;
typedef _Atomic(uint_least16_t) atomic_uint_least16_t;
typedef _Atomic(int_least32_t) atomic_int_least32_t;
typedef _Atomic(uint_least32_t) atomic_uint_least32_t;
typedef _Atomic(int_least64_t) atomic_int_least64_t;
typedef _Atomic(uint_least64_t) atomic_uint_least64_t;
typedef _Atomic(int_fast8_t) atomic_int_fast8_t;
typedef _Atomic(uint_fast8_t) atomic_uint_fast8_t;
typedef _Atomic(int_fast16_t) atomic_int_fast16_t;
typedef _Atomic(uint_fast16_t) atomic_uint_fast16_t;
typedef _Atomic(int_fast32_t) atomic_int_fast32_t;
typedef _Atomic(uint_fast32_t) atomic_uint_fast32_t;
typedef _Atomic(int_fast64_t) atomic_int_fast64_t;
typedef _Atomic(uint_fast64_t) atomic_uint_fast64_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;
typedef struct {
    unsigned char __set;
} atomic_flag;

#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_CHAR16_T_LOCK_FREE 2
#define ATOMIC_CHAR32_T_LOCK_FREE 2
#define ATOMIC_WCHAR_T_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(value) (value)
#define kill_dependency(value) (value)

/* Unlike gcc's, these move a pointer by elements. */
#define __precis_plus(v) __precis_old + (v)
#define __precis_minus(v) __precis_old - (v)

#define atomic_init(p, v) __atomic_store_n(p, v, 0)
#define atomic_store_explicit(p, v, order) __atomic_store_n(p, v, order)
#define atomic_store(p, v) __atomic_store_n(p, v, 5)
#define atomic_load_explicit(p, order) __atomic_load_n(p, order)
#define atomic_load(p) __atomic_load_n(p, 5)
#define atomic_exchange_explicit(p, v, order) __atomic_exchange_n(p, v, order)
#define atomic_exchange(p, v) __atomic_exchange_n(p, v, 5)
#define atomic_compare_exchange_strong_explicit(p, expected, v, success, failure)                \
    __atomic_compare_exchange_n(p, expected, v, 0, success, failure)
#define atomic_compare_exchange_weak_explicit(p, expected, v, success, failure)                  \
    __atomic_compare_exchange_n(p, expected, v, 1, success, failure)
#define atomic_compare_exchange_strong(p, expected, v)                                           \
    __atomic_compare_exchange_n(p, expected, v, 0, 5, 5)
#define atomic_compare_exchange_weak(p, expected, v)                                             \
    __atomic_compare_exchange_n(p, expected, v, 1, 5, 5)
#define atomic_fetch_add_explicit(p, v, order) __precis_atomic(p, v, __precis_plus, __precis_old)
#define atomic_fetch_add(p, v) __precis_atomic(p, v, __precis_plus, __precis_old)
#define atomic_fetch_sub_explicit(p, v, order) __precis_atomic(p, v, __precis_minus, __precis_old)
#define atomic_fetch_sub(p, v) __precis_atomic(p, v, __precis_minus, __precis_old)
#define atomic_fetch_or_explicit(p, v, order) __atomic_fetch_or(p, v, order)
#define atomic_fetch_or(p, v) __atomic_fetch_or(p, v, 5)
#define atomic_fetch_xor_explicit(p, v, order) __atomic_fetch_xor(p, v, order)
#define atomic_fetch_xor(p, v) __atomic_fetch_xor(p, v, 5)
#define atomic_fetch_and_explicit(p, v, order) __atomic_fetch_and(p, v, order)
#define atomic_fetch_and(p, v) __atomic_fetch_and(p, v, 5)
#define atomic_flag_test_and_set_explicit(p, order) __atomic_test_and_set(p, order)
#define atomic_flag_test_and_set(p) __atomic_test_and_set(p, 5)
#define atomic_flag_clear_explicit(p, order) __atomic_clear(p, order)
#define atomic_flag_clear(p) __atomic_clear(p, 5)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)
#define atomic_is_lock_free(p) __atomic_is_lock_free(sizeof(*(p)), p)
#endif
