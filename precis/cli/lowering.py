"""`precis lower`: read each file by itself, and say what became of it."""

from __future__ import annotations

import json
import resource
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from precis.cli.check import Screen
from precis.cli.outputs import Output
from precis.cli.targets import Found, chooser
from precis.cli.wiring import Target, encoded_unit, prepare_front_end
from precis.errors import InputError
from precis.ir.codec import decode
from precis.ir.instr import Unsupported
from precis.ir.program import Program
from precis.reports.log_lines import inert
from precis.reports.terminal import safe

FORMAT: Final = "precis lowering 1"
_BAD_INPUT: Final = 2
_REASONS_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class Unit:
    """What became of a file: its procedures or, in one line, why there are none.

    `unsupported` counts the procedures with a construct that is not lowered, by reason.
    """

    name: str
    lines: int = 0
    procedures: int = 0
    incomplete: int = 0
    unsupported: dict[str, int] = field(default_factory=dict)
    failure: str = ""
    advice: str = ""


def lower_command(
    paths: tuple[str, ...], flags: tuple[str, ...], options: dict[str, Any], screen: Screen
) -> int:
    """Lower the files and report; the exit status."""
    if not paths and not options["database"]:
        raise InputError("no file is given", advice="name a file or a folder, or use -p DIR")
    files = chooser(options, screen.root, flags).files(paths)
    prepare_front_end()
    start = time.monotonic()
    with ExitStack() as stack:
        output = stack.enter_context(Output(options["json"])) if options["json"] else None
        units = []
        for unit in _units(files, screen):
            units.append(unit)
            for line in _unit_lines(unit):
                screen.show(inert(safe(line)))
        seconds = time.monotonic() - start
        for line in _closing_lines(units, seconds):
            screen.show(inert(safe(line)))
        if output is not None:
            output.write(_json(units, seconds))
            output.commit()
    return _BAD_INPUT if any(unit.failure for unit in units) else 0


def _units(files: Sequence[Found], screen: Screen) -> Iterator[Unit]:
    for number, file in enumerate(files, 1):
        screen.progress.show(f"{number} of {len(files)}: {file.target.name}")
        unit = _failed(file.target, file.refused) if file.refused else _unit(file.target)
        screen.progress.clear()
        yield unit


def _unit(target: Target) -> Unit:
    try:
        content = encoded_unit(target)
    except InputError as error:
        reason = str(error).split("\n", 1)[0].removeprefix(f"{target.name}: ")
        return _failed(target, reason, error.advice)
    return _counted_apart(target, content)


def _counted_apart(target: Target, content: bytes) -> Unit:
    """In a process of its own, so that nothing of one file stays when the next one comes."""
    from precis.frontends.clang.child import Ending, Limits, run

    def work() -> bytes:
        return msgspec.msgpack.encode(_counted(target, decode(content)))

    answer = run(work, Limits())
    if answer.ending is Ending.DONE:
        return msgspec.msgpack.decode(answer.content, type=Unit)
    if answer.ending is Ending.BROKEN:
        raise RuntimeError(f"{target.name}: {answer.content.decode()}")
    return _failed(target, f"its program could not be looked at: {answer.ending.value}")


def _failed(target: Target, reason: str, advice: str = "") -> Unit:
    return Unit(target.name, _lines(target), failure=reason, advice=advice)


def _counted(target: Target, program: Program) -> Unit:
    own = [procedure for procedure in program.procedures.values() if not procedure.library]
    reasons: Counter[str] = Counter()
    incomplete = 0
    for procedure in own:
        steps = (step for block in procedure.blocks for step in block.steps)
        found = dict.fromkeys(step.reason for step in steps if isinstance(step, Unsupported))
        incomplete += bool(found)
        reasons.update(list(found))
    return Unit(target.name, _lines(target), len(own), incomplete, dict(reasons))


def _lines(target: Target) -> int:
    try:
        return sum(Path(file.path).read_bytes().count(b"\n") for file in target.files)
    except OSError:
        return 0


def _unit_lines(unit: Unit) -> Iterator[str]:
    if unit.failure:
        yield f"{unit.name}: {unit.failure}"
        if unit.advice:
            yield f"  {unit.advice}"


def _closing_lines(units: Sequence[Unit], seconds: float) -> Iterator[str]:
    failed = sum(bool(unit.failure) for unit in units)
    procedures = sum(unit.procedures for unit in units)
    incomplete = sum(unit.incomplete for unit in units)
    whole = 100 * (procedures - incomplete) / procedures if procedures else 100.0
    yield f"translation units: {len(units)}, {failed} failed"
    share = f"{incomplete} with unsupported constructs ({whole:.2f}% without)"
    yield f"procedures: {procedures}, {share}"
    yield from _reason_lines(units)
    lines = sum(unit.lines for unit in units)
    yield f"lines: {lines}, {lines / max(seconds, 1e-9):.0f} a second"
    yield f"time: {seconds:.1f} s"
    yield f"peak memory of a process: {_peak()} MB"


def _reason_lines(units: Iterable[Unit]) -> Iterator[str]:
    reasons: Counter[str] = Counter()
    for unit in units:
        reasons.update(unit.unsupported)
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    yield from (f"{count:6d}  {reason}" for reason, count in ordered[:_REASONS_SHOWN])
    if len(ordered) > _REASONS_SHOWN:
        yield f"        and {len(ordered) - _REASONS_SHOWN} more reasons"


def _peak() -> int:
    """Megabytes, of the largest process."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) >> 10


def _json(units: Sequence[Unit], seconds: float) -> str:
    whole = {
        "format": FORMAT,
        "seconds": round(seconds, 3),
        "peak_megabytes": _peak(),
        "units": [msgspec.to_builtins(unit) for unit in units],
    }
    return json.dumps(whole, ensure_ascii=True, indent=1) + "\n"
