"""Bit-fields, and volatile variables: what is known of them, and what must not be."""

from __future__ import annotations

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import PROPERTIES, checked, lowered

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


def open_lines(body: str, calls: Calls = Calls.STRONG) -> set[int]:
    source = f"{HEAD}int main(int c, char **v) {{ {body}\n return 0; }}\n"
    result = checked(lowered(source, properties=PROPERTIES), calls)
    assert not result.wrong and not result.stopped
    return {doubt.at.line for doubt in result.doubts.values()}


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
@pytest.mark.parametrize("body", [body for _, body in RIGHT], ids=[name for name, _ in RIGHT])
def test_what_is_so_is_proved(body: str, calls: Calls) -> None:
    assert not open_lines(body, calls)


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
@pytest.mark.parametrize("body", [body for _, body in WRONG], ids=[name for name, _ in WRONG])
def test_what_may_go_wrong_is_not(body: str, calls: Calls) -> None:
    assert open_lines(body, calls)


def test_a_volatile_number_of_a_caller_may_change() -> None:
    assert open_lines(VOLATILE)
    assert not open_lines(VOLATILE, Calls.INLINE)


def test_fields_that_a_callee_sets() -> None:
    assert open_lines(SET)
    assert not open_lines(SET, Calls.INLINE)
