"""What `values` proves and what it must not, line by line.

The programs in proving/ are marked: in a line that ends in `//-` some run breaks an obligation,
so one must be open; in a line that ends in `//~` none does, but that is beyond the domain; in
all other lines everything must be proved, if need be on condition that the open ones hold. A
line `//! names` asks for more properties.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from precis.engine.results import Result, Status
from precis.engine.verify import Searching
from precis.interp.outcome import Malloc
from tests.checking import DEFAULT, check

PROGRAMS = sorted((Path(__file__).parent / "proving").glob("*.c"))
SHOWN = (Status.PROVED, Status.CONDITIONAL)


def _checked(source: str, search: Searching) -> Result:
    more = re.search(r"^//! (.*)$", source, re.MULTILINE)
    properties = (*DEFAULT, *(more[1].split() if more else ()))
    return check(source, properties, malloc=Malloc.MAY_FAIL, search=search)


def _marked(source: str, mark: str) -> set[int]:
    rows = enumerate(source.split("\n"), 1)
    return {number for number, text in rows if text.endswith(mark)}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_proves_just_what_is_marked(path: Path) -> None:
    source = path.read_text("utf-8")
    result = _checked(source, Searching.OFF)
    assert not result.internal
    found = {row.at.line for row in result.obligations if row.status not in SHOWN}
    wrong, beyond = _marked(source, "//-"), _marked(source, "//~")
    assert wrong - found == set(), "a run breaks something there"
    assert found - wrong - beyond == set(), "these were proved once"
    assert beyond - found == set(), "these are proved now: take the mark away"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_no_run_breaks_an_unmarked_line(path: Path) -> None:
    source = path.read_text("utf-8")
    result = _checked(source, Searching.ON)
    lines = {finding.at.line for finding in result.findings}
    assert lines <= _marked(source, "//-")
    assert lines
