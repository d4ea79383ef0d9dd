"""What cannot lie in the same memory, by its type, is asked of callers and not followed."""

from __future__ import annotations

import pytest

from precis.domains.heap.kinds import has_member
from precis.engine.results import Result, Status, Verdict
from precis.engine.verify import Mode
from precis.ir.types import VOID_POINTER, Int, Pointer, Record
from tests.domains.heap.analysing import lowered, verified

RECORDS = """
struct in { char text[6]; short odd; };
struct out { int n; int *p; struct in in[2]; struct out *next; };
struct unknown;
int main(void) { static struct out o; return o.n + o.in[1].odd; }
"""
I8, I16, I32, I64 = (Int(bits, signed=True) for bits in (8, 16, 32, 64))


@pytest.mark.parametrize(
    ("offset", "scalar", "may"),
    [
        (0, I32, True),
        (0, I64, False),
        (0, I8, False),
        (4, I32, False),
        (8, Pointer(I32), True),
        (8, Pointer(I8), True),
        (8, VOID_POINTER, True),
        (8, I64, False),
        (21, I8, True),
        (22, I8, False),
        (22, I16, True),
        (30, I16, True),
        (32, Pointer(Record("out")), True),
        (32, Pointer(Record("in")), False),
        (40, I64, True),
        (-8, I64, True),
    ],
)
def test_members_of_a_record(offset: int, scalar: Int | Pointer, may: bool) -> None:
    program = lowered(RECORDS)
    assert has_member(program, "out", offset, scalar) is may


def test_anything_may_be_in_a_record_without_members() -> None:
    assert has_member(lowered(RECORDS), "unknown", 0, I8)


def in_library(source: str) -> Result:
    return verified(source, Mode.LIBRARY, ("memory-safety", "assertions"))


def asked(result: Result, rule: str) -> list[str]:
    return [one.text for one in result.preconditions if one.rule == rule]


PUT = "struct s { int n; int *p; };\nint put(struct s *a, long *b) { *b = 0; return *a->p; }\n"


def test_callers_are_asked_though_nothing_is_proved() -> None:
    """All obligations are preconditions: what the summary takes for granted is one, too."""
    result = in_library(PUT)
    assert result.verdict is Verdict.SAFE
    assert all(one.status is Status.LATENT for one in result.obligations)
    assert "b and a->p lead to memory that does not overlap" in asked(result, "overlap")
    assert any(text.startswith("a and b lead to") for text in asked(result, "overlap"))


def test_a_number_that_is_a_member_is_followed() -> None:
    result = in_library(
        """#include <assert.h>
        struct s { int *p; int n; };
        int set(struct s *a, int *b) { a->n = 1; *b = 2; return a->n; }
        void use(struct s *a) { assert(set(a, &a->n) == 2); }"""
    )
    assert result.verdict is Verdict.SAFE


def test_a_pointer_that_is_moved_along_its_text_is_not_written_by_bytes_of_it() -> None:
    result = in_library(
        """#include <string.h>
        int count(char *list) {
            char *p;
            int n = 0;
            while ((p = strsep(&list, ",")) != NULL && *p != 0)
                n++;
            return n;
        }"""
    )
    assert result.verdict is Verdict.SAFE
    assert not asked(result, "overlap")


def test_nobody_is_asked_for_what_no_caller_can_bring_about() -> None:
    """The number lies over the pointer in each call: that is open, and no precondition."""
    source = PUT.replace("int put", "static int put")
    result = in_library(source + "int use(struct s *a) { return put(a, (long *)&a->p); }\n")
    assert result.verdict is Verdict.UNKNOWN
    (overlap,) = (one for one in result.obligations if one.rule == "overlap")
    assert overlap.status is Status.OPEN
    assert not any("it is not so that" in text for text in asked(result, "overlap"))
