"""Fifteen programs, each right as it is and wrong with -DBUG."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import checked, lowered, open_lines

TWINS = sorted((Path(__file__).parent / "twins").glob("*.c"))
# By summaries: a list of any length; blocks in the cells of a caller's array. In the body of
# each call: a pointer is compared after it was freed.
BEYOND = {Calls.STRONG: {"c11", "c13"}, Calls.INLINE: {"c06"}}
# With weak calls a summary says what may happen, never what must.
OPEN_IF_WEAK = {"c01", "c03", "c05", "c07", "c10", "c15"}
WAYS = pytest.mark.parametrize("calls", BEYOND, ids=lambda calls: calls.value)


@WAYS
@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_the_right_twin_is_proved(path: Path, calls: Calls) -> None:
    result = checked(lowered(path.read_text("utf-8")), calls)
    assert not result.wrong and not result.stopped
    if path.stem in BEYOND[calls]:
        assert result.doubts or result.lost, "proved now: take it off the list"
    else:
        assert open_lines(result) == set()


@pytest.mark.parametrize("name", sorted(OPEN_IF_WEAK))
def test_weak_calls_leave_the_right_twin_open(name: str) -> None:
    (path,) = [path for path in TWINS if path.stem == name]
    result = checked(lowered(path.read_text("utf-8")), Calls.WEAK)
    assert not result.wrong and not result.stopped and result.doubts


@WAYS
@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_the_wrong_twin_is_not(path: Path, calls: Calls) -> None:
    result = checked(lowered(path.read_text("utf-8"), ("BUG",)), calls)
    assert not result.wrong and not result.stopped
    assert result.doubts or result.lost
