"""`precis run`: one program, the programs of a folder, or one program on many inputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from precis.cli.wiring import Target, load_target
from precis.errors import InputError
from precis.interp.run import Ending, Inputs, Outcome, Settings, run
from precis.ir.program import Program
from precis.properties.place import with_obligations

VIOLATION_STATUS = 100
UNDECIDED_STATUS = 5


@dataclass(frozen=True, slots=True)
class Task:
    """How a program is read and run."""

    settings: Settings
    entry: str


def prepared(target: Target, task: Task) -> Program:
    """The program with the obligations of the task."""
    program = load_target(target, task.entry)
    if not program.entry:
        raise InputError(
            f"the program has no function {task.entry!r} to start at",
            file=target.name,
            advice="give another file, or name a function with --entry",
        )
    return with_obligations(program, task.settings.properties)


def parse_values(text: str) -> tuple[int | float, ...]:
    """`--values`: numbers apart by commas; C's spellings of integers are understood."""
    values: list[int | float] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        try:
            values.append(int(part, 0))
        except ValueError:
            try:
                values.append(float(part))
            except ValueError:
                raise InputError(
                    f"--values: {part!r} is not a number", advice="for example --values 3,-1,0x10"
                ) from None
    return tuple(values)


def exit_status(outcome: Outcome) -> int:
    match outcome.ending:
        case Ending.EXIT:
            return outcome.status & 0xFF
        case Ending.VIOLATION:
            return VIOLATION_STATUS
        case Ending.ASSUME_FAILED:
            return 0
        case Ending.NO_VALUE:
            return 2
        case Ending.UNDEFINED | Ending.OUT_OF_TIME | Ending.OUT_OF_MEMORY | Ending.UNSUPPORTED:
            return UNDECIDED_STATUS


@dataclass(frozen=True, slots=True)
class Row:
    """One program of a folder: its worst outcome over the seeds tried."""

    path: Path
    result: str
    outcome: Outcome | None
    status: int  # of CONVENTIONS: 0 fine, 1 violated, 2 bad input, 5 undecided


def run_all(programs: Sequence[Target], task: Task, inputs: Inputs, seeds: int) -> Iterator[Row]:
    """Every program, each under `seeds` seeds; the first violation counts."""
    for target in programs:
        path = Path(target.name)
        try:
            program = prepared(target, task)
        except InputError as error:
            yield Row(path, f"cannot be run: {str(error).splitlines()[0]}", None, 2)
            continue
        yield _worst(path, program, task, inputs, seeds)


def _worst(path: Path, program: Program, task: Task, inputs: Inputs, seeds: int) -> Row:
    undecided: Row | None = None
    statuses: dict[int, None] = {}
    for seed in range(inputs.seed, inputs.seed + seeds):
        outcome = run(program, replace(inputs, seed=seed), task.settings, _discard)
        if outcome.ending is Ending.VIOLATION:
            assert outcome.violation is not None
            result = f"{outcome.violation.rule} at line {outcome.violation.at.line} (seed {seed})"
            return Row(path, result, outcome, 1)
        if outcome.ending in (Ending.EXIT, Ending.ASSUME_FAILED):
            statuses[outcome.status] = None
        elif undecided is None:
            undecided = Row(path, f"undecided: {outcome.reason}", outcome, UNDECIDED_STATUS)
    if undecided is not None:
        return undecided
    shown = ", ".join(map(str, statuses))
    return Row(path, f"no violation (exit status {shown})", None, 0)


def folder_status(rows: list[Row]) -> int:
    """Bad input first, then violations, then what is undecided."""
    for status in (2, 1, UNDECIDED_STATUS):
        if any(row.status == status for row in rows):
            return status
    return 0


def read_batch(path: Path) -> list[tuple[int | float, ...]]:
    """A JSON list of lists of values."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the batch: {error}", file=str(path)) from error
    if not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        raise InputError("a batch is a JSON list of lists of numbers", file=str(path))
    return [tuple(row) for row in data]


def run_batch(
    program: Program, task: Task, inputs: Inputs, batch: list[tuple[int | float, ...]]
) -> Iterator[dict[str, Any]]:
    """One plain object per list of values."""
    for values in batch:
        text: list[bytes] = []
        outcome = run(program, replace(inputs, values=values), task.settings, _into(text))
        yield {
            "values": list(values),
            "ending": outcome.ending.value,
            "status": exit_status(outcome),
            "stdout": b"".join(text).decode("latin-1"),
            "violation": _plain_violation(outcome),
            "reason": outcome.reason,
        }


def _plain_violation(outcome: Outcome) -> dict[str, Any] | None:
    found = outcome.violation
    if found is None:
        return None
    return {"rule": found.rule, "file": found.at.file, "line": found.at.line}


def _into(text: list[bytes]) -> Callable[[int, bytes], None]:
    def write(descriptor: int, data: bytes) -> None:
        if descriptor == 1:
            text.append(data)

    return write


def _discard(descriptor: int, data: bytes) -> None:
    """Programs of a folder run unseen."""
