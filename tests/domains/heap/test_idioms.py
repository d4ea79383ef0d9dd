"""Seven idioms of C, three programs each, right as they are and wrong at `/*L*/` with -DBUG.

branches    a block is there if and only if a condition holds, which is asked again
realloc     wrappers around realloc
callback    functions that are called by pointer and store pointers
out         results by out-parameters
goto        clean-up at the end of a function
count       reference counting by hand
list        intrusive lists: the links lie in the things they link
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load, plans
from precis.engine.budget import Budget
from precis.engine.results import Result, Status, Verdict
from precis.engine.verify import Options, Searching, verify
from precis.properties.place import with_obligations

PROGRAMS = sorted((Path(__file__).parent / "idioms").glob("*.c"))
PROPERTIES = frozenset({"memory-safety", "leaks", "assertions"})
SECONDS = 60.0
ENOUGH = 600.0  # of which a stage gets a tenth
_LENGTH = "that a text of any of some lengths is freed is shown by `values`"
OPEN = {"out_split": _LENGTH}
# A loop of any number of turns, each with a block that is made or not: summaries say more.
SUMMARIES = {"branches_small_buffer"}
EACH = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)


def verified(
    path: Path, names: Sequence[str], options: Options, budget: Budget, *defined: str
) -> Result:
    program = with_obligations(load(path, Reading(defined=defined)), PROPERTIES)
    result = verify(program, path.name, plans(names, program, options), options, budget)
    assert not result.internal
    return result


def marked(path: Path) -> int:
    lines = path.read_text("utf-8").splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if "/*L*/" in text]
    return line


@EACH
def test_the_right_program_is_proved(path: Path) -> None:
    """Where summaries decide, their stage must not run out of time: no search before it."""
    options, budget = Options(PROPERTIES), Budget(SECONDS)
    if path.stem in SUMMARIES:
        options, budget = Options(PROPERTIES, search=Searching.OFF), Budget(ENOUGH)
    assert verified(path, ("values", "heap"), options, budget).verdict is Verdict.SAFE


@EACH
def test_the_right_program_is_proved_by_heap_alone(path: Path) -> None:
    calls = "strong" if path.stem in SUMMARIES else "inline"
    options = Options(PROPERTIES, search=Searching.OFF, calls=calls)
    result = verified(path, ("heap",), options, Budget(ENOUGH))
    if path.stem in OPEN:
        assert result.verdict is Verdict.UNKNOWN, "proved now: take it off the list"
    else:
        assert result.verdict is Verdict.SAFE


@EACH
def test_the_wrong_program_is_found(path: Path) -> None:
    result = verified(path, ("values", "heap"), Options(PROPERTIES), Budget(SECONDS), "BUG")
    assert result.verdict is Verdict.UNSAFE
    broken = {row.at.line for row in result.obligations if row.status is Status.VIOLATED}
    assert broken == {marked(path)}
