/* Read before every file: names that gcc knows and libclang does not show or know.

   Atomic operations mean what they do without threads (docs/assumptions.md, 21). libclang hides
   which one an expression is, so they are written out here. */
#ifndef _PRECIS_PRELUDE_H
#define _PRECIS_PRELUDE_H

typedef __typeof__((char *)0 - (char *)0) __precis_distance;
typedef float _Float32;
typedef double _Float64;
typedef double _Float32x;
typedef long double _Float64x;
typedef __float128 _Float128;

/* Of what is at p, without _Atomic and qualifiers. */
#define __precis_type(p) __typeof__((void)0, *(p))
#define __precis_is_pointer(x) (__builtin_classify_type(x) == 5)

/* The old value, and the new one that `what` computes from it. */
#define __precis_atomic(p, v, what, gives)                                                       \
    __extension__({                                                                              \
        __typeof__(p) __precis_at = (p);                                                         \
        __precis_type(__precis_at) __precis_old = *__precis_at;                                  \
        __typeof__(__precis_old) __precis_new = (__typeof__(__precis_old))(what(v));             \
        *__precis_at = __precis_new;                                                             \
        gives;                                                                                   \
    })
/* gcc counts in bytes where a pointer is moved. */
#define __precis_moved(sign, v)                                                                  \
    __builtin_choose_expr(__precis_is_pointer(__precis_old),                                     \
                          (__typeof__(__precis_old))((char *)__precis_old sign(__precis_distance)(v)), \
                          __precis_old sign(v))
#define __precis_add(v) __precis_moved(+, v)
#define __precis_sub(v) __precis_moved(-, v)
#define __precis_or(v) __precis_old | (v)
#define __precis_and(v) __precis_old & (v)
#define __precis_xor(v) __precis_old ^ (v)
#define __precis_nand(v) ~(__precis_old & (v))
#define __precis_set(v) v

#define __atomic_fetch_add(p, v, order) __precis_atomic(p, v, __precis_add, __precis_old)
#define __atomic_fetch_sub(p, v, order) __precis_atomic(p, v, __precis_sub, __precis_old)
#define __atomic_fetch_or(p, v, order) __precis_atomic(p, v, __precis_or, __precis_old)
#define __atomic_fetch_and(p, v, order) __precis_atomic(p, v, __precis_and, __precis_old)
#define __atomic_fetch_xor(p, v, order) __precis_atomic(p, v, __precis_xor, __precis_old)
#define __atomic_fetch_nand(p, v, order) __precis_atomic(p, v, __precis_nand, __precis_old)
#define __atomic_add_fetch(p, v, order) __precis_atomic(p, v, __precis_add, __precis_new)
#define __atomic_sub_fetch(p, v, order) __precis_atomic(p, v, __precis_sub, __precis_new)
#define __atomic_or_fetch(p, v, order) __precis_atomic(p, v, __precis_or, __precis_new)
#define __atomic_and_fetch(p, v, order) __precis_atomic(p, v, __precis_and, __precis_new)
#define __atomic_xor_fetch(p, v, order) __precis_atomic(p, v, __precis_xor, __precis_new)
#define __atomic_nand_fetch(p, v, order) __precis_atomic(p, v, __precis_nand, __precis_new)
#define __atomic_exchange_n(p, v, order) __precis_atomic(p, v, __precis_set, __precis_old)

#define __atomic_load_n(p, order) ((void)(order), *(p))
#define __atomic_store_n(p, v, order) ((void)(*(p) = (v)))
#define __atomic_load(p, result, order) ((void)(*(result) = *(p)))
#define __atomic_store(p, v, order) ((void)(*(p) = *(v)))
#define __atomic_exchange(p, v, result, order)                                                   \
    __extension__({                                                                              \
        __auto_type __precis_at = (p);                                                           \
        __typeof__(*__precis_at) __precis_new = *(v);                                            \
        *(result) = *__precis_at;                                                                \
        *__precis_at = __precis_new;                                                             \
        (void)0;                                                                                 \
    })
#define __atomic_compare_exchange_n(p, expected, v, weak, success, failure)                      \
    __extension__({                                                                              \
        __auto_type __precis_at = (p);                                                           \
        __auto_type __precis_expected = (expected);                                              \
        __precis_type(__precis_at) __precis_old = *__precis_at;                                  \
        __typeof__(__precis_old) __precis_new = (v);                                             \
        _Bool __precis_same = *__precis_at == *__precis_expected;                                \
        if (__precis_same)                                                                       \
            *__precis_at = __precis_new;                                                         \
        else                                                                                     \
            *__precis_expected = *__precis_at;                                                   \
        __precis_same;                                                                           \
    })
#define __atomic_compare_exchange(p, expected, v, weak, success, failure)                        \
    __atomic_compare_exchange_n(p, expected, *(v), weak, success, failure)
#define __atomic_test_and_set(p, order)                                                          \
    __extension__({                                                                              \
        volatile unsigned char *__precis_flag = (volatile unsigned char *)(p);                   \
        _Bool __precis_was_set = *__precis_flag;                                                 \
        *__precis_flag = 1;                                                                      \
        __precis_was_set;                                                                        \
    })
#define __atomic_clear(p, order) ((void)(*(volatile unsigned char *)(p) = 0))
#define __atomic_thread_fence(order) ((void)(order))
#define __atomic_signal_fence(order) ((void)(order))
#define __atomic_is_lock_free(size, p) ((void)(p), (_Bool)((size) <= 8))

#define __sync_fetch_and_add(p, v, ...) __precis_atomic(p, v, __precis_add, __precis_old)
#define __sync_fetch_and_sub(p, v, ...) __precis_atomic(p, v, __precis_sub, __precis_old)
#define __sync_fetch_and_or(p, v, ...) __precis_atomic(p, v, __precis_or, __precis_old)
#define __sync_fetch_and_and(p, v, ...) __precis_atomic(p, v, __precis_and, __precis_old)
#define __sync_fetch_and_xor(p, v, ...) __precis_atomic(p, v, __precis_xor, __precis_old)
#define __sync_fetch_and_nand(p, v, ...) __precis_atomic(p, v, __precis_nand, __precis_old)
#define __sync_add_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_add, __precis_new)
#define __sync_sub_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_sub, __precis_new)
#define __sync_or_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_or, __precis_new)
#define __sync_and_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_and, __precis_new)
#define __sync_xor_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_xor, __precis_new)
#define __sync_nand_and_fetch(p, v, ...) __precis_atomic(p, v, __precis_nand, __precis_new)
#define __sync_lock_test_and_set(p, v, ...) __precis_atomic(p, v, __precis_set, __precis_old)
#define __sync_lock_release(p, ...) ((void)(*(p) = 0))
#define __precis_swapped(p, old, v, gives)                                                       \
    __extension__({                                                                              \
        __auto_type __precis_at = (p);                                                           \
        __precis_type(__precis_at) __precis_old = *__precis_at;                                  \
        __typeof__(__precis_old) __precis_expected = (__typeof__(__precis_old))(old);            \
        __typeof__(__precis_old) __precis_new = (__typeof__(__precis_old))(v);                   \
        __precis_old = *__precis_at;                                                             \
        if (__precis_old == __precis_expected)                                                   \
            *__precis_at = __precis_new;                                                         \
        gives;                                                                                   \
    })
#define __sync_val_compare_and_swap(p, old, v, ...) __precis_swapped(p, old, v, __precis_old)
#define __sync_bool_compare_and_swap(p, old, v, ...)                                             \
    __precis_swapped(p, old, v, (_Bool)(__precis_old == __precis_expected))
#define __sync_synchronize(...) ((void)0)
#endif
