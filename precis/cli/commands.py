"""What the commands do, between options and output."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from precis.cli import messages, runs
from precis.cli.targets import chooser
from precis.cli.wiring import Target, load_target, load_unit
from precis.errors import InputError, ToolError
from precis.interp.record import recorded, recorded_inputs, recorded_settings, same_outcome
from precis.interp.run import Inputs, Malloc, Natives, Settings, run
from precis.properties.place import chosen, with_obligations
from precis.reports.terminal import safe

RUN_PROPERTIES = ("memory-safety", "assertions")


class Console(Protocol):
    """Where a command reads and writes."""

    def write(self, descriptor: int, data: bytes) -> None: ...
    def read(self, count: int) -> bytes: ...
    def say(self, lines: Iterable[str]) -> None: ...
    def show(self, text: str) -> None: ...
    def show_json(self, value: object) -> None: ...


def run_one_command(
    path: Path, arguments: tuple[str, ...], options: dict[str, Any], console: Console
) -> int:
    task, inputs = _task(options), _inputs(path, arguments, options)
    record = _text_of_record(Path(options["replay"])) if options["replay"] else ""
    if record:
        task, inputs = _replayed(record, task, options)
    program = runs.prepared(_target(path, options), task)
    if options["batch"]:
        batch = runs.read_batch(Path(options["batch"]))
        for row in runs.run_batch(program, task, inputs, batch):
            console.show_json(row)
        return 0
    outcome = run(program, inputs, task.settings, console.write, console.read)
    console.say(messages.of_outcome(outcome))
    if record and not same_outcome(record, outcome):
        console.say(["note: the run did not end as the recorded one did; the program may differ"])
    if options["statistics"]:
        console.say([f"{outcome.steps} steps"])
    if options["record"]:
        _write(Path(options["record"]), recorded(program, inputs, task.settings, outcome))
    return runs.exit_status(outcome)


def run_folder_command(
    path: Path, arguments: tuple[str, ...], options: dict[str, Any], console: Console
) -> int:
    for name in ("record", "replay", "batch"):
        if options[name]:
            raise InputError(f"--{name} needs one program, not a folder", file=str(path))
    inputs = _inputs(path, arguments, {**options, "stdin_file": options["stdin_file"] or ""})
    rows = []
    found = chooser(options, Path.cwd()).all([str(path)], options["entry"], lambda text: None)
    programs = [program.target for program in found]
    for row in runs.run_all(programs, _task(options), inputs, options["runs"]):
        rows.append(row)
        console.show(f"{safe(str(row.path)):50s}  {safe(row.result)}")
        if row.outcome is not None:
            console.say(messages.of_outcome(row.outcome))
    clean = sum(row.status == 0 for row in rows)
    console.show(f"{len(rows)} programs, {clean} without a violation")
    return runs.folder_status(rows)


def ir_text(path: Path, functions: tuple[str, ...], options: dict[str, Any]) -> str:
    from precis.ir.printer import print_procedure, print_program

    read = load_unit if options["everything"] else load_target
    program = read(_target(path, options))
    if options["properties"]:
        properties = chosen(options["properties"], ())
        program = with_obligations(program, properties)
    if not functions:
        return print_program(program)
    parts = []
    for name in functions:
        if name not in program.procedures:
            raise InputError(f"there is no function {name!r} in this program", file=str(path))
        parts.append(print_procedure(program, program.procedures[name]))
    return "\n".join(parts)


def draw_picture(path: Path, arguments: tuple[str, ...], options: dict[str, Any]) -> str:
    from precis.cli.pictures import picture_of
    from precis.interp.heap import snapshot_at
    from precis.reports.picture_text import unicode_text
    from precis.reports.svg import svg

    task = _task({**options, "properties": (), "models_only": False})
    program = runs.prepared(_target(path, options), task)
    inputs = _inputs(path, arguments, {**options, "stdin_file": options["stdin_file"] or ""})
    snapshot = snapshot_at(program, inputs, task.settings, options["line"], options["visit"])
    if snapshot is None:
        raise InputError(
            f"the run never gets to line {options['line']} {options['visit']} time(s)",
            file=str(path),
            advice="try another --seed, --values or line",
        )
    form = options["form"] or ("svg" if str(options["output"]).endswith(".svg") else "text")
    picture = picture_of(snapshot)
    return svg(picture) if form == "svg" else unicode_text(picture)


def _target(path: Path, options: dict[str, Any]) -> Target:
    return chooser(options, Path.cwd()).one(str(path))


def _task(options: dict[str, Any]) -> runs.Task:
    settings = Settings(
        properties=chosen(options["properties"], RUN_PROPERTIES),
        malloc=Malloc(options["malloc"]),
        timeout=options["timeout"],
        memory=int(options["memory"] * 1_000_000),
        natives=Natives.MODELS_ONLY if options["models_only"] else Natives.USE,
    )
    return runs.Task(settings, options["entry"])


def _inputs(path: Path, arguments: tuple[str, ...], options: dict[str, Any]) -> Inputs:
    if options["fail"] is not None and options["malloc"] != Malloc.MAY_FAIL.value:
        raise InputError("--fail needs --malloc may-fail")
    values = None if options["values"] is None else runs.parse_values(options["values"])
    return Inputs(
        seed=options["seed"] or 0,
        values=values,
        stdin=_stdin(options["stdin_file"]),
        args=(str(path), *arguments),
        failures=None if options["fail"] is None else _failures(options["fail"]),
    )


def _failures(text: str) -> frozenset[int]:
    numbers = runs.parse_values(text)
    if not all(isinstance(number, int) and number > 0 for number in numbers):
        raise InputError("--fail: allocations are counted from 1", advice="for example --fail 2,5")
    return frozenset(int(number) for number in numbers)


def _stdin(file: str | None) -> bytes | None:
    """The bytes of a file; nothing for the empty name; None to read as the program asks."""
    if file is None or file == "-":
        return None
    if not file:
        return b""
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read standard input: {error.strerror}", file=file) from error


def _text_of_record(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot replay: {error}", file=str(path)) from error


def _replayed(record: str, task: runs.Task, options: dict[str, Any]) -> tuple[runs.Task, Inputs]:
    """The recorded run again: its inputs and, but for properties that are named, its settings."""
    try:
        inputs, given = recorded_inputs(record), recorded_settings(record)
    except ValueError as error:
        raise InputError(f"cannot replay: {error}", file=options["replay"]) from error
    properties = task.settings.properties if options["properties"] else given.properties
    settings = replace(
        task.settings, properties=properties, malloc=given.malloc, natives=given.natives
    )
    return replace(task, settings=settings), inputs


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ToolError("disk", f"cannot write {path}: {error.strerror}") from error
