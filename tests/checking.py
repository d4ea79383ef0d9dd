"""Checking C programs that are given as text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from precis.cli.wiring import Reading, load, load_library, plans
from precis.engine.budget import Budget
from precis.engine.results import ObligationResult, Result, Status
from precis.engine.verify import Mode, Options, Searching, verify
from precis.interp.outcome import Malloc
from precis.ir.program import Program
from precis.properties.place import with_obligations

DEFAULT = ("memory-safety", "leaks", "assertions")


def placed(
    source: str, properties: tuple[str, ...] = DEFAULT, mode: Mode = Mode.PROGRAM
) -> Program:
    """The program of a text, with its obligations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(source, "utf-8")
        read = load if mode is Mode.PROGRAM else load_library
        return with_obligations(read(path, Reading()), frozenset(properties))


def check(
    source: str,
    properties: tuple[str, ...] = DEFAULT,
    mode: Mode = Mode.PROGRAM,
    malloc: Malloc = Malloc.NEVER_FAILS,
    search: Searching = Searching.ON,
    assumed: frozenset[int] = frozenset(),
) -> Result:
    program = placed(source, properties, mode)
    options = Options(frozenset(properties), malloc, mode, assumed, search)
    chosen = plans(("values",), program, options)
    return verify(program, "program.c", chosen, options, Budget(60.0))


def lines(result: Result, status: Status) -> set[int]:
    """The lines of the obligations with this status."""
    return {row.at.line for row in result.obligations if row.status is status}


def at_line(result: Result, line: int, what: str = "") -> ObligationResult:
    """The one obligation of a line whose wording holds `what`."""
    found = [r for r in result.obligations if r.at.line == line and what in r.what]
    assert len(found) == 1, found
    return found[0]
