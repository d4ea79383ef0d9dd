"""Programs in which something goes wrong: `heap` must leave something open, or say it gave up."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.domains.heap import calls, judge
from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import checked, lowered

HERE = Path(__file__).parent
FOR_EVERY_DOMAIN = HERE.parent.parent / "engine" / "broken"
BROKEN = sorted((*(HERE / "broken").glob("*.c"), *FOR_EVERY_DOMAIN.glob("*.c")))


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_program_is_not_proved(path: Path, calls: Calls) -> None:
    result = checked(lowered(path.read_text("utf-8")), calls, seconds=5.0)
    assert not result.wrong
    assert result.doubts or result.lost or result.stopped


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_nor_is_it_if_calls_are_told_little(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_NODES_OF_A_NEED", 2)
    monkeypatch.setattr(calls, "MOST_NODES_OF_A_CALL", 2)
    result = checked(lowered(path.read_text("utf-8")), seconds=5.0)
    assert not result.wrong
    assert result.doubts or result.lost or result.stopped


LEFT = """
#include <stdlib.h>
static void take(void) { int *p = malloc(4); if (p) *p = 1; }
int main(void) { take(); return 0; }
"""


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
def test_what_a_callee_lost_is_left_at_the_end(calls: Calls) -> None:
    properties = ("memory-safety", "cleanup")
    result = checked(lowered(LEFT, properties=properties), calls, properties)
    assert not result.wrong and result.doubts


PART = """
struct s { unsigned a : 4, b : 4; };
int main(void) { struct s s; s.a = 1; return s.b == 2; }
"""


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
def test_bits_beside_those_that_are_set_are_not(calls: Calls) -> None:
    properties = ("uninitialised",)
    result = checked(lowered(PART, properties=properties), calls, properties)
    assert not result.wrong and (result.doubts or result.lost)
