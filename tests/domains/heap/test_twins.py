"""Fifteen programs, each right as it is and wrong with -DBUG."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.domains.heap.analysing import checked, lowered, open_lines

TWINS = sorted((Path(__file__).parent / "twins").glob("*.c"))
BEYOND = {"c11", "c13"}  # a list of any length; blocks in the cells of a caller's array
LEAKS = {"c07"}  # the wrong one only leaks


@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_the_right_twin_is_proved(path: Path) -> None:
    result = checked(lowered(path.read_text("utf-8")))
    assert not result.wrong and not result.stopped
    if path.stem in BEYOND:
        assert result.doubts or result.lost, "proved now: take it off the list"
    else:
        assert open_lines(result) == set()


@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_the_wrong_twin_is_not(path: Path) -> None:
    result = checked(lowered(path.read_text("utf-8"), ("BUG",)))
    assert not result.wrong and not result.stopped
    assert bool(result.doubts) is (path.stem not in LEAKS)
