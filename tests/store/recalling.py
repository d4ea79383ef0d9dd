"""Programs analysed by `heap` with a store, for tests: which procedures were explored."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from precis.cli.wiring import Reading, load, load_library, plans
from precis.engine.budget import Budget
from precis.engine.results import Result
from precis.engine.schedule import Schedule
from precis.engine.summary import SummaryStore
from precis.engine.verify import Mode, Options, Searching, verify
from precis.interp.outcome import Malloc
from precis.ir.program import Program
from precis.properties.place import with_obligations

PROPERTIES = frozenset(("memory-safety", "leaks", "assertions"))
OPTIONS = Options(
    PROPERTIES, Malloc.MAY_FAIL, Mode.LIBRARY, search=Searching.OFF, calls="strong"
)  # fmt: skip
READING = Reading()


@dataclass(frozen=True)
class Run:
    """What a check found, and which procedures it explored; the others were recalled."""

    result: Result
    explored: frozenset[str]
    recalled: frozenset[str]


def program_of(source: str, options: Options = OPTIONS, how: Reading = READING) -> Program:
    path = _folder() / "program.c"  # one for all: results tell it
    path.write_text(source, "utf-8")
    program = (load_library if options.mode is Mode.LIBRARY else load)(path, how)
    return with_obligations(program, options.properties)


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="precis-test-store-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def run(
    source: str, store: SummaryStore | None, options: Options = OPTIONS, how: Reading = READING
) -> Run:
    program = program_of(source, options, how)
    chosen = plans(("heap",), program, options, store)
    schedules: list[Any] = []
    known = Schedule.__init__

    def noted(self: Schedule, *given: Any) -> None:
        known(self, *given)
        schedules.append(self)

    Schedule.__init__ = noted  # type: ignore[method-assign]
    try:
        result = verify(program, "program.c", chosen, options, Budget())
    finally:
        Schedule.__init__ = known  # type: ignore[method-assign]
    done = [one for schedule in schedules for one in schedule.done.values()]
    return Run(
        result,
        frozenset(one.procedure.name for one in done if not one.recalled),
        frozenset(one.procedure.name for one in done if one.recalled),
    )
