"""Bit-fields, volatile variables and numbers in pieces: what is known of them, and what is not."""

from __future__ import annotations

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import PROPERTIES, checked, lowered, open_lines

HEAD = """#include <assert.h>
#include <stdlib.h>
struct flags { unsigned low : 3, middle : 7; int high : 5; _Bool last : 1; };
struct __attribute__((packed)) odd { unsigned char first; unsigned low : 7, middle : 10, high : 7;
                                     unsigned char last; };
static struct flags flags;
static void set(struct flags *f, unsigned n) { f->middle = n; f->high = -3; }
static void set_odd(struct odd *f, unsigned n) { f->middle = n; }
static int twice(volatile int *p) { return *p == *p; }
"""

RIGHT = (
    ("a field of a global", "flags.low = 12;\nassert(flags.low == 4 && flags.middle == 0);"),
    ("a negative field", "flags.high = 21;\nassert(flags.high == -11);"),
    ("a field that is one bit", "flags.last = 6;\nassert(flags.last == 1);"),
    ("what a field has room for", "int t[8]; flags.low = c; int i = flags.low;\nt[i] = 1;"),
    ("one of two numbers", "flags.low = c > 2 ? 1 : 2;\nassert(flags.low == 1 || flags.low == 2);"),
    (
        "what lies beside three bytes",
        "struct odd f = {1, 2, 3, 4, 5}; set_odd(&f, 9);\nassert(f.first == 1 && f.last == 5);",
    ),
    (
        "a volatile local",
        "int t[3]; for (volatile int i = 0; i < 3; i++) {\nt[i] = 1; }",
    ),
)

WRONG = (
    ("too large a number", "flags.low = 12;\nassert(flags.low == 12);"),
    ("a large number in a signed field", "flags.high = 16;\nassert(flags.high > 0);"),
    ("a field of an unknown number", "flags.low = c;\nassert(flags.low < 7);"),
    ("an index one too large", "int t[7]; flags.low = c; int i = flags.low;\nt[i] = 1;"),
    ("a neighbour that is set", "flags.low = 1; flags.middle = 2;\nassert(flags.low == 2);"),
    ("a field whose neighbour is not set", "struct flags f; f.low = 1;\nassert(f.middle == 0);"),
    ("a field of memory that a caller has", "struct flags f; set(&f, c);\nassert(f.middle < 9);"),
    (
        "beyond the end",
        "struct odd f = {1, 2, 3, 4, 5}; char *p = (char *)&f;\nset_odd((struct odd *)(p + 2), 9);",
    ),
    (
        "a pointer under a field",
        "union { struct flags f; int *p; } u; int x; u.p = &x; u.f.low = 1;\n*u.p = 1;",
    ),
    ("an index that is a volatile local", "int t[3]; volatile int i = c;\nt[i] = 1;"),
)
# Known where a callee is inlined only: bits of its caller's, beside those that it sets.
SET = "set(&flags, 100);\nassert(flags.middle == 100 && flags.high == -3 && flags.low == 0);"
# And that a volatile argument is a local.
VOLATILE = "volatile int i = 1; int *q = (int *)&i;\nassert(twice(q));"


def found(head: str, body: str, calls: Calls = Calls.STRONG) -> set[int]:
    source = f"{head}int main(int c, char **v) {{ {body}\n return 0; }}\n"
    return open_lines(checked(lowered(source, properties=PROPERTIES), calls))


def test_a_volatile_number_of_a_caller_may_change() -> None:
    assert found(HEAD, VOLATILE)
    assert not found(HEAD, VOLATILE, Calls.INLINE)


def test_fields_that_a_callee_sets() -> None:
    assert found(HEAD, SET)
    assert not found(HEAD, SET, Calls.INLINE)


# Numbers that were put there in other sizes than those they are read in.
PIECES = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
union both { unsigned whole; unsigned char part[4]; unsigned short half[2]; float real; int *p; };
static const int fixed[3] = {5, -6, 7};
static unsigned all(const union both *b) { return b->whole; }
"""
PUT_TOGETHER = (
    ("bytes one by one", "union both b; for (int i = 0; i < 4; i++) b.part[i] = i + 1;\n"
     "assert(b.whole == 0x04030201);"),
    ("halves", "union both b; b.half[0] = 0xfffe; b.half[1] = 0x8000;\n"
     "assert(b.whole == 0x8000fffe && b.part[1] == 255);"),
    ("negative halves", "union both b; short h = -2; memcpy(&b.half[0], &h, 2); b.half[1] = 0;\n"
     "assert(b.whole == 0xfffe);"),
    ("a number that a byte was changed of", "union both b; b.whole = 0x11223344; b.part[1] = 0;\n"
     "assert(b.whole == 0x11220044 && b.half[0] == 0x44);"),
    ("zeros around a byte", "union both *b = calloc(1, 8); if (!b) return 0; b->part[2] = 1;\n"
     "assert(b->whole == 0x10000); free(b);"),
    ("a copy of an array", "int t[3]; memcpy(t, fixed, sizeof t);\n"
     "assert(t[0] == 5 && t[1] == -6 && t[2] == 7);"),
    ("a part across two", "struct { char c[8]; } s; memset(&s, 0, 8); s.c[3] = 1; s.c[4] = 2;"
     " unsigned n; memcpy(&n, &s.c[2], 4);\nassert(n == 0x020100);"),
    ("one of two bytes", "union both b; b.whole = 0; b.part[0] = c > 1 ? 3 : 4;\n"
     "assert(b.whole == 3 || b.whole == 4);"),
    ("a null pointer of zeros", "int *p = &c; memset(&p, 0, sizeof p);\nassert(!p);"),
)  # fmt: skip
NOT_SO = (
    ("a byte too many", "union both b; b.whole = 0; b.part[0] = 1; b.part[3] = 1;\n"
     "assert(b.whole == 1);"),
    ("a byte that is not set", "union both b; b.part[0] = b.part[1] = b.part[2] = 0;\n"
     "assert(b.whole < 256);"),
    ("a byte that is not known", "union both b; b.whole = 0; b.part[0] = c;\n"
     "assert(b.whole < 255);"),
    ("one of two bytes, read otherwise", "union both b; b.whole = 0; b.part[0] = c > 1 ? 3 : 4;\n"
     "assert(b.whole == 3);"),
    ("written by a callee's caller", "union both b, *p = &b; b.whole = 0; p->part[3] = 1;\n"
     "assert(all(p) < 256);"),
    ("a pointer whose byte was changed", "union both b; b.p = &c; b.part[0] = 0;\n*b.p = 1;"),
    ("half a pointer of zeros", "int *p = &c; memset(&p, 0, 4);\nassert(!p);"),
    ("written at an index in between",
     "union both b; b.half[0] = b.half[1] = 0; b.part[c & 3] = 1;\n"
     "assert(b.whole == 0);"),
)  # fmt: skip


NARROWED = """#include <assert.h>
static void put(unsigned char *p, int i, int n) { p[i] = n; }
static void put_short(unsigned short *p, long n) { *p = n; }
static void put_signed(signed char *p, int n) { *p = n; }
"""
NARROW = (
    ("numbers in bytes", "unsigned char b[4] = {0}; put(b, 1, 5); put(b, 2, 300);\n"
     "assert(b[1] == 5 && b[2] == 44);"),
    ("a negative number", "unsigned char b[4] = {0}; put(b, 0, -1);\n"
     "assert(b[0] == 255 && !b[1]);"),
    ("a long number", "unsigned short s; put_short(&s, -65536L * 7 + 3);\nassert(s == 3);"),
)  # fmt: skip
NOT_NARROW = (
    ("the wrong remainder", "unsigned char b[4] = {0}; put(b, 2, 300);\n"
     "assert(b[2] == 300 % 255);"),
    ("a number somewhere", "unsigned char b[4] = {0}; put(b, c & 3, 1);\nassert(!b[2]);"),
    ("a sign", "signed char s; put_signed(&s, 200);\nassert(s > 0);"),
)  # fmt: skip


PROVED = [
    *(pytest.param(HEAD, body, id=name) for name, body in RIGHT),
    *(pytest.param(PIECES, body, id=name) for name, body in PUT_TOGETHER),
    *(pytest.param(NARROWED, body, id=name) for name, body in NARROW),
]
OPEN = [
    *(pytest.param(HEAD, body, id=name) for name, body in WRONG),
    *(pytest.param(PIECES, body, id=name) for name, body in NOT_SO),
    *(pytest.param(NARROWED, body, id=name) for name, body in NOT_NARROW),
]


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
@pytest.mark.parametrize(("head", "body"), PROVED)
def test_what_is_so_is_proved(head: str, body: str, calls: Calls) -> None:
    assert not found(head, body, calls)


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
@pytest.mark.parametrize(("head", "body"), OPEN)
def test_what_may_go_wrong_is_not(head: str, body: str, calls: Calls) -> None:
    assert found(head, body, calls)
