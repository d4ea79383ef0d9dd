"""The check of one program: from its file to what became of it, here or in another process."""

from __future__ import annotations

import json
import shlex
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

import msgspec

from precis.cli.property_files import Asked, restricted
from precis.cli.targets import Origin
from precis.cli.wiring import (
    NOTHING_DEFINED,
    Target,
    load_library_target,
    load_target,
    plans,
    store_in,
)
from precis.engine.budget import Budget, Cancelled, Event, Exhausted
from precis.engine.results import Result, Status, Verdict
from precis.errors import InputError, ToolError
from precis.frontends.clang.flags import Headers
from precis.ir.location import NOWHERE, Location
from precis.ir.program import Program
from precis.properties.place import with_obligations
from precis.reports.checked import Cause, Checked, NotChecked

if TYPE_CHECKING:
    from precis.engine.verify import Options


_PROJECT: Final = 20  # of docs/assumptions.md


class Roots(Enum):
    """What can call into the program: its entry, or anybody anything."""

    ENTRY = "entry"
    LIBRARY = "library"


class Search(Enum):
    """Whether runs of the program are searched for a violation."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Task:
    """How programs are checked: plain data, as it goes to other processes."""

    asked: Asked
    entry: str
    roots: Roots
    domains: tuple[str, ...]
    malloc: str
    assumed: tuple[int, ...]
    search: Search
    seconds: float
    memory: int  # bytes
    calls: str = ""  # how `heap` follows calls; empty: by summaries, then inlined
    alias_classes: str = "order"  # which pointers `heap` relates
    store: str = ""  # the folder that keeps summaries, if any


@dataclass(frozen=True, slots=True)
class Expected:
    """What a task file expects: that a property holds, or that a part of it is violated."""

    holds: bool
    part: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """`refused` says why the program cannot be read, if that is known already."""

    name: str
    target: Target
    task: Task
    origin: Origin = Origin.NAMED
    refused: str = ""
    expected: Expected | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """One of the two."""

    result: Result | None = None
    failed: NotChecked | None = None


def encoded(job: Job) -> bytes:
    return _bytes(job)


def answer(content: bytes) -> bytes:
    """In another process: the job, done."""
    job = msgspec.convert(json.loads(content), Job)
    done = checked(job, lambda event: None)
    match done:
        case NotChecked():
            return _bytes(_Answer(failed=done))
        case Result():
            return _bytes(_Answer(result=done))


def decoded(content: bytes) -> Checked:
    found = msgspec.convert(json.loads(content), _Answer)
    done = found.result or found.failed
    assert done is not None
    return done


def _bytes(value: object) -> bytes:
    # The json of the standard library, as it takes any text: names of files may be no UTF-8.
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=True).encode("ascii")


def checked(job: Job, on_event: Callable[[Event], None]) -> Checked:
    """What becomes of a program. Nothing but an interrupt gets out of here."""
    try:
        return _result(job, on_event)
    except InputError as error:
        return _refused(job, error)
    except ToolError as error:
        return NotChecked(job.name, Cause.TOOL_FAILED, _first(str(error)))
    except Exhausted as error:
        return NotChecked(job.name, Cause.LIMIT, _first(str(error)))
    except MemoryError:
        return NotChecked(job.name, Cause.LIMIT, "the memory of this machine is used up")
    except Cancelled:
        return NotChecked(job.name, Cause.INTERRUPTED, "interrupted")
    except Exception as error:
        reason = f"internal error ({type(error).__name__})"
        return NotChecked(job.name, Cause.INTERNAL, reason, traceback.format_exc())


def _result(job: Job, on_event: Callable[[Event], None]) -> Result:
    task = job.task
    budget = Budget(task.seconds, None, task.memory, on_event)
    program = _program(job)
    properties = frozenset(task.asked.properties)
    if not properties:
        result = Result(job.name, Verdict.UNKNOWN, library=task.roots is Roots.LIBRARY)
        return restricted(result, task.asked)
    from precis.engine.verify import verify

    options = engine_options(task)
    placed = with_obligations(program, properties)
    analyses = plans(task.domains, placed, options, store_in(task.store))
    result = verify(placed, job.name, analyses, options, budget)
    if any(file.reading.headers is Headers.SYSTEM for file in job.target.files):
        result = replace(result, assumptions=(*result.assumptions, _PROJECT))
    return restricted(_repeatable(_coherent(result), job.target, task), task.asked)


def _coherent(result: Result) -> Result:
    """A last look at SAFE, the answer that must never be wrong."""
    proved = (Status.PROVED, Status.LATENT) if result.library else (Status.PROVED,)
    doubts = [item for item in result.obligations if item.status not in proved]
    if result.verdict is not Verdict.SAFE or not (doubts or result.findings):
        return result
    reason = "internal error: the verdict does not fit the obligations"
    return replace(result, verdict=Verdict.UNKNOWN, reason=reason, internal=True)


def _repeatable(result: Result, target: Target, task: Task) -> Result:
    """The result with commands that also read the program in the same way."""
    findings = []
    for finding in result.findings:
        replay = ""
        if target.options is not None and finding.replay:
            words = [*target.options, *([] if task.entry == "main" else ["--entry", task.entry])]
            replay = " ".join(filter(None, (shlex.join(words), finding.replay)))
        findings.append(replace(finding, replay=replay))
    return replace(result, findings=tuple(findings))


def engine_options(task: Task) -> Options:
    from precis.engine.verify import Mode, Options, Searching
    from precis.interp.outcome import Malloc

    return Options(
        properties=frozenset(task.asked.properties),
        malloc=Malloc(task.malloc),
        mode=Mode.LIBRARY if task.roots is Roots.LIBRARY else Mode.PROGRAM,
        assumed=frozenset(task.assumed),
        search=Searching.ON if task.search is Search.ON else Searching.OFF,
        calls=task.calls,
        alias_classes=task.alias_classes,
    )


def _program(job: Job) -> Program:
    task = job.task
    if job.refused:
        raise InputError(job.refused, file=job.name)
    if task.roots is Roots.LIBRARY:
        return load_library_target(job.target)
    program = load_target(job.target, task.entry)
    if not program.entry:
        raise _NoEntry(
            f"the program has no function {task.entry!r} to start at",
            file=job.name,
            advice="check it with --library, or name another function with --entry",
        )
    return program


class _NoEntry(InputError):
    """There is nothing to start at."""


def _refused(job: Job, error: InputError) -> NotChecked:
    if job.origin is Origin.FOLDER:
        if isinstance(error, _NoEntry):
            return NotChecked(job.name, Cause.NO_ENTRY, f"no {job.task.entry}: use --library")
        if error.message == NOTHING_DEFINED:
            return NotChecked(job.name, Cause.NO_ENTRY, NOTHING_DEFINED)
    at = Location(error.file, error.line, error.column) if error.line else NOWHERE
    return NotChecked(job.name, Cause.BAD_INPUT, _first(error.message), error.advice, at)


def _first(text: str) -> str:
    return text.split("\n", 1)[0]
