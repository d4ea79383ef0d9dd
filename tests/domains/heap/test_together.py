"""What one stage leaves open at one place must not be proved by two that blame different places.

Summaries see at the call that a callee lost a block of its caller; inlined bodies, `values` and
runs see it at the step of the callee.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load, plans
from precis.engine.budget import Budget
from precis.engine.results import Status, Verdict
from precis.engine.verify import Options, Searching, verify
from precis.interp.outcome import Malloc
from precis.properties.place import with_obligations
from tests.domains.heap.test_never_safe import BROKEN

PROPERTIES = frozenset({"memory-safety", "leaks", "assertions"})


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    source: str  # the block is lost in line 3


PROGRAMS = (
    Program(
        "a global that is set twice",
        """#include <stdlib.h>
        static long *current;
        static void install(long value) { current = malloc(sizeof(long)); *current = value; }
        int main(void) { install(1); install(2); free(current); return 0; }
        """,
    ),
    Program(
        "a global that is cleared two calls below",
        """#include <stdlib.h>
        static long *current;
        static void clear(void) { current = 0; }
        static void deep(void) { clear(); }
        int main(void) { current = malloc(sizeof(long)); deep(); return 0; }
        """,
    ),
    Program(
        "a variable of the caller, by a pointer to a function",
        """#include <stdlib.h>
        typedef void (*action)(long **);
        static void clear(long **p) { *p = 0; }
        static void run(action a, long **p) { a(p); }
        int main(void) { long *x = malloc(sizeof(long)); run(clear, &x); return 0; }
        """,
    ),
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
@pytest.mark.parametrize("domains", [("heap",), ("values", "heap")], ids=" ".join)
def test_the_step_that_loses_it_stays_open(
    program: Program, domains: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(program.source, "utf-8")
    placed = with_obligations(load(path, Reading()), PROPERTIES)
    options = Options(PROPERTIES, Malloc.NEVER_FAILS, search=Searching.OFF)

    result = verify(placed, path.name, plans(domains, placed, options), options, Budget(60.0))

    assert result.verdict is Verdict.UNKNOWN
    lost = {
        row.at.line
        for row in result.obligations
        if row.rule == "memory-leak" and row.status is Status.OPEN
    }
    assert 3 in lost


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_all_stages_together_prove_no_broken_program(path: Path) -> None:
    """What one stage proves may rest on what another one proves: each must be right by itself."""
    placed = with_obligations(load(path, Reading()), PROPERTIES)
    options = Options(PROPERTIES, search=Searching.OFF)
    stages = plans(("heap",), placed, options)
    result = verify(placed, path.name, stages, options, Budget(10.0))
    assert result.verdict is Verdict.UNKNOWN
