"""Programs and their analyses, for laws about what analyses say.

`LIMITS` are ways to use a domain, from following every state to merging all of them.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from precis.cli.wiring import Reading, load
from precis.engine.activation import COARSE, FINE, Activation, Limits
from precis.engine.budget import Budget
from precis.engine.schedule import Schedule
from precis.interp.outcome import Malloc
from precis.ir.program import Program
from precis.properties.place import NAMES, with_obligations
from tests.laws.strategies import DOMAINS

SAFETY: Final = frozenset({"memory-safety", "assertions"})
LEAKS: Final = SAFETY | {"leaks"}
ALL: Final = frozenset(NAMES)
PROPERTIES: Final = (SAFETY, ALL, LEAKS)
FOLDER: Final = Path(__file__).parent / "programs"


LIMITS: Final[dict[str, tuple[Limits, int]]] = {
    "fine": (FINE, 0),
    "small": (
        replace(FINE, apart=3, at_loops=4, forks=3, keys=6, contexts=3, library_contexts=2), 1,
    ),
    "coarse": (COARSE, 1),
    "merged": (
        Limits(apart=2, at_loops=2, forks=1, keys=2, in_block=3, contexts=1, library_contexts=1,
               together=True), 2,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    program: Program
    domain: Any
    schedule: Schedule
    activations: tuple[Activation, ...]  # that the entry uses
    wrong: str  # the check of the fixpoint


@lru_cache(maxsize=64)
def read(source: str) -> Program:
    """A C program, without obligations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(source, encoding="utf-8")
        return load(path, Reading())


def analysed(
    bare: Program, name: str, properties: frozenset[str], malloc: Malloc, limits: str,
    states: int = 20_000,
) -> Analysed:  # fmt: skip
    """Analyse a program from its entry; raises Exhausted if it takes too many states."""
    program = with_obligations(bare, properties)
    bounds, merging = LIMITS[limits]
    domain = DOMAINS[name].make(program, properties, malloc is Malloc.MAY_FAIL, merging)
    schedule = Schedule(domain, program, bounds, Budget(30.0, states))
    entry = domain.root_entry(program.procedures[program.entry])
    schedule.on_demand(program.entry, entry)
    activations = schedule.reachable([schedule.key(program.entry, entry)])
    wrong = ""
    for activation in activations:
        reason = schedule.recheck(activation)
        wrong = wrong or (f"{activation.procedure.name}: {reason}" if reason else "")
    return Analysed(program, domain, schedule, tuple(activations), wrong)


def sources() -> dict[str, str]:
    """The small programs of these laws, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.c"))}
