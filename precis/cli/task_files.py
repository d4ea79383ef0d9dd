"""Task files of SV-COMP (.yml): programs with properties and the verdicts that are expected.

Each property of a task is a check of its own, since each has its own verdict. As the rules of
the competition have it, malloc never fails unless the command says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from precis.cli.check_task import Expected, Job, Task
from precis.cli.property_files import asked, part_of
from precis.cli.targets import Chooser
from precis.engine.results import Verdict
from precis.errors import InputError, ToolError
from precis.ir.types import DataModel
from precis.reports.checked import Row

_SUFFIXES: Final = (".yml", ".yaml")
_LARGEST: Final = 1 << 20  # bytes of a task file


class _Property(msgspec.Struct):
    property_file: str
    expected_verdict: bool | None = None
    subproperty: str | None = None


class _Options(msgspec.Struct):
    language: str = "C"
    data_model: str | None = None


class _Task(msgspec.Struct):
    input_files: str | list[str]
    properties: list[_Property] = []
    options: _Options = msgspec.field(default_factory=_Options)


def is_task_file(path: str) -> bool:
    return path.endswith(_SUFFIXES)


def task_jobs(path: str, choice: Chooser, task: Task, options: dict[str, Any]) -> Iterator[Job]:
    """The checks that a task file asks for; with --property, of those properties only."""
    if choice.database or choice.link:
        raise InputError("a task file names all files of its program", file=path)
    read = _read(Path(path))
    names = [read.input_files] if isinstance(read.input_files, str) else read.input_files
    first, *rest = (str(Path(path).parent / name) for name in names)
    model = _model(read, options, path)
    chosen = replace(
        choice, reading=replace(choice.reading, model=model or choice.reading.model),
        link=tuple(rest),
    )  # fmt: skip
    target = chosen.one(first)
    if not options["malloc"]:
        task = replace(task, malloc="never-fails")
    if options["properties"]:
        expected = _expected(_matching(read.properties, options["properties"]))
        yield Job(path, target, task, expected=expected)
        return
    for one in read.properties:
        what = asked((str(Path(path).parent / one.property_file),))
        entry = options["entry"] or what.entry or "main"
        alone = len(read.properties) == 1
        name = path if alone else f"{path} [{Path(one.property_file).stem}]"
        yield Job(name, target, replace(task, asked=what, entry=entry), expected=_expected(one))
    if not read.properties:
        yield Job(path, target, task)


def _read(path: Path) -> _Task:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"has more than {_LARGEST >> 20} MB", file=str(path))
        found = msgspec.yaml.decode(path.read_bytes(), type=_Task)
    except ImportError:
        raise ToolError("PyYAML", "not installed; `pip install pyyaml` brings it") from None
    except FileNotFoundError:
        raise InputError("no such file", file=str(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"is no task file: {error}", file=str(path)) from None
    if not found.input_files:
        raise InputError("names no input files", file=str(path))
    if found.options.language != "C":
        raise InputError(f"is a task for {found.options.language}, not C", file=str(path))
    return found


def _model(read: _Task, options: dict[str, Any], path: str) -> DataModel | None:
    """What the task says, unless the command says something."""
    given = read.options.data_model
    if options["data_model"] or given is None:
        return None
    try:
        return DataModel(given)
    except ValueError:
        raise InputError(f"the data model {given} is not known", file=path) from None


def _matching(properties: Sequence[_Property], words: Sequence[str]) -> _Property | None:
    """The property that --property names, if it is one by its file."""
    names = {Path(word).name for word in words}
    found = [one for one in properties if Path(one.property_file).name in names]
    return found[0] if len(found) == len(names) == 1 else None


def _expected(one: _Property | None) -> Expected | None:
    if one is None or one.expected_verdict is None:
        return None
    return Expected(one.expected_verdict, one.subproperty or "")


def expectation_lines(jobs: Sequence[Job], rows: Sequence[Row]) -> Iterator[str]:
    """How the verdicts stand to those that are expected."""
    for job, row in zip(jobs, rows, strict=False):
        if job.expected is not None:
            yield f"{row.program}: expected {_shown(job.expected)}, {_standing(job.expected, row)}"


def _shown(expected: Expected) -> str:
    if expected.holds:
        return "true"
    return f"false({expected.part})" if expected.part else "false"


def _standing(expected: Expected, row: Row) -> str:
    if row.verdict is Verdict.UNKNOWN:
        return "open"
    parts = {part_of(rule) for rule in row.rules}
    agrees = (row.verdict is Verdict.SAFE) is expected.holds
    if agrees and (expected.holds or not expected.part or expected.part in parts):
        return "as found"
    return f"WRONG: {row.verdict.value} was found"
