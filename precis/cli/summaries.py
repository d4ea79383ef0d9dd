"""`precis summarize`: what is learned of each function of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from precis.cli.check import Screen, task_of
from precis.cli.check_task import Task, engine_options
from precis.cli.outputs import Output
from precis.cli.targets import chooser
from precis.cli.wiring import load_library_target, plans, store_in
from precis.domains.protocol import Measured, Summaries, Summary
from precis.engine.budget import Budget, Exhausted
from precis.errors import InputError
from precis.ir.program import Program
from precis.properties.place import with_obligations
from precis.reports.checked import OPEN
from precis.reports.log_lines import inert
from precis.reports.plain import well_formed
from precis.reports.terminal import safe

FORMAT: Final = "precis summaries 1"

AnyDomain: TypeAlias = Summaries[Any, Any, Any, Any]
AnySummary: TypeAlias = Summary[Any, Any]

# A summary is for every caller.
_FOR_ALL_CALLERS: Final = {"entry": None, "library": True, "svcomp": False, "search": False}


def summarize_command(
    path: str, flags: tuple[str, ...], options: dict[str, Any], screen: Screen
) -> int:
    """Write the summaries; the exit status."""
    task = task_of({**options, **_FOR_ALL_CALLERS})
    if len(options["domains"]) > 1:
        raise InputError("summaries are of one domain; give --domain once")
    with ExitStack() as stack:
        output = stack.enter_context(Output(options["output"])) if options["output"] else None
        program = load_library_target(chooser(options, screen.root, flags).one(path))
        names = _functions(program, options["functions"], path)
        try:
            used, found = _summaries(program, names, task, path, screen)
        except Exhausted as error:
            screen.say([f"precis: {path}: no summaries: {error}"])
            return OPEN
        finally:
            screen.progress.clear()
        lines = _lines(used, found, _form(options))
        if output is None:
            for line in lines:
                screen.show(line)
        else:
            for line in lines:
                output.write(f"{line}\n")
            output.commit()
    return 0


def _form(options: dict[str, Any]) -> str:
    """As asked for, else by the name of the file."""
    suffix = Path(options["output"] or "").suffix.removeprefix(".")
    return str(options["form"] or (suffix if suffix in ("json", "svg") else "text"))


def _functions(program: Program, wanted: Sequence[str], path: str) -> tuple[str, ...]:
    """The functions that were named, else all of the file itself, as they stand there."""
    for name in wanted:
        if name not in program.procedures:
            raise InputError(f"there is no function {name!r} in this program", file=path)
    own = [procedure for procedure in program.procedures.values() if not procedure.library]
    own.sort(key=lambda one: (one.at.file != path, one.at.file, one.at.line, one.at.column))
    return tuple(dict.fromkeys(wanted or (procedure.name for procedure in own)))


def _summaries(
    program: Program, names: tuple[str, ...], task: Task, path: str, screen: Screen
) -> tuple[AnyDomain, Sequence[AnySummary]]:
    from precis.engine.verify import Mode, summarize

    options = replace(engine_options(task), mode=Mode.LIBRARY)
    placed = with_obligations(program, frozenset(task.asked.properties))
    plan, *_ = plans(task.domains[:1], placed, options, store_in(task.store))
    budget = Budget(task.seconds, None, task.memory, screen.progress.of_program(path))
    return plan.domain, summarize(placed, plan, names, options, budget)


def _lines(used: AnyDomain, found: Sequence[AnySummary], form: str) -> Iterator[str]:
    match form:
        case "json":
            yield _json(used, found)
        case "svg":
            from precis.reports.sheet import sheet

            yield sheet([picture for summary in found for picture in used.draw(summary)]).rstrip()
        case _:
            yield from map(inert, _text(used, found))


def _text(used: AnyDomain, found: Sequence[AnySummary]) -> Iterator[str]:
    for number, summary in enumerate(found):
        if number:
            yield ""
        yield safe(summary.piece.procedure)
        yield from (f"  {safe(line)}" for line in used.describe(summary))


def _json(used: AnyDomain, found: Sequence[AnySummary]) -> str:
    """`data` is the summary as its domain encodes it, `text` as users read it."""
    whole = {"format": FORMAT, "summaries": [_entry(used, summary) for summary in found]}
    return json.dumps(whole, ensure_ascii=True, sort_keys=True, indent=1)


def _entry(used: AnyDomain, summary: AnySummary) -> dict[str, Any]:
    entry = {
        "procedure": well_formed(summary.piece.procedure),
        "text": [well_formed(line) for line in used.describe(summary)],
        "assumptions": sorted(summary.assumptions),
        "data": used.encode(summary),
    }
    if isinstance(used, Measured):
        entry["measures"] = used.measures(summary)
    return entry
