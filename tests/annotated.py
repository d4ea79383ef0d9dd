"""C programs that say themselves what is expected of them.

A line that ends in `//! rule` is where the referee must stop, with that rule; a program without
such a line must end by itself. Comments at the top say how it is run:

    // properties: leaks cleanup     (default: those of `precis run`)
    // values: 1,2,3                 inputs of the nondeterministic calls
    // seeds: 20                     tried in turn until one run stops
    // malloc: may-fail
    // status: 134                   exit status (default 0)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from precis.cli.commands import RUN_PROPERTIES
from precis.cli.runs import parse_values
from precis.cli.wiring import Reading, load
from precis.interp.run import Ending, Inputs, Malloc, Natives, Outcome, Settings, run
from precis.properties.place import with_obligations

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Expected:
    properties: frozenset[str]
    values: tuple[int | float, ...] | None
    seeds: int
    malloc: Malloc
    status: int
    violation: tuple[str, int] | None


def expected(source: str) -> Expected:
    options = dict(re.findall(r"^// (\w+): (.*)$", source, re.MULTILINE))
    marks = [
        (mark[1], number)
        for number, line in enumerate(source.splitlines(), 1)
        if (mark := re.search(r"//! ([\w-]+)\s*$", line))
    ]
    assert len(marks) <= 1, "a run stops once"
    return Expected(
        frozenset(options.get("properties", " ".join(RUN_PROPERTIES)).split()),
        parse_values(options["values"]) if "values" in options else None,
        int(options.get("seeds", "1")),
        Malloc(options.get("malloc", "never-fails")),
        int(options.get("status", "0")),
        marks[0] if marks else None,
    )


def run_file(
    path: Path,
    properties: frozenset[str] = frozenset(RUN_PROPERTIES),
    inputs: Inputs | None = None,
    malloc: Malloc = Malloc.NEVER_FAILS,
    natives: Natives = Natives.USE,
) -> tuple[Outcome, bytes]:
    """The outcome of a run, and its standard output."""
    program = with_obligations(load(path, Reading()), properties)
    settings = Settings(properties, malloc, 60.0, 1 << 30, natives)
    output: list[bytes] = []

    def write(descriptor: int, data: bytes) -> None:
        if descriptor == 1:
            output.append(data)

    given = inputs or Inputs(stdin=b"", args=(str(path),))
    return run(program, given, settings, write), b"".join(output)


def first_stop(path: Path, wanted: Expected) -> Outcome:
    """The first outcome that is a violation, or the last one."""
    for seed in range(wanted.seeds):
        inputs = Inputs(seed=seed, values=wanted.values, stdin=b"", args=(str(path),))
        outcome, _ = run_file(path, wanted.properties, inputs, wanted.malloc)
        if outcome.ending is Ending.VIOLATION:
            break
    return outcome
