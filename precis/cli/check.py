"""`precis check`: from options to reports."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from signal import SIGKILL, Signals
from typing import Any, Final, Protocol

from precis import __version__
from precis.cli.check_task import Job, Roots, Search, Task, checked, decoded, encoded
from precis.cli.outputs import Output
from precis.cli.progress import Progress
from precis.cli.property_files import Asked, asked, svcomp_answer
from precis.cli.targets import Chooser, chooser
from precis.cli.task_files import expectation_lines, is_task_file, task_jobs
from precis.cli.wiring import DOMAINS, store_in
from precis.errors import InputError
from precis.reports.assumptions import ASSUMPTIONS
from precis.reports.checked import (
    Cause,
    Checked,
    IfOpen,
    NotChecked,
    Overall,
    Row,
    overall,
    row_of,
)
from precis.reports.log_lines import inert
from precis.reports.terminal import safe
from precis.reports.text import Detail, closing_lines, heading_lines, program_lines

_PARSING: Final = 150.0  # seconds that reading a program may take, on top of its analysis


class Screen(Protocol):
    """Where the command writes, and what it knows of the outside."""

    root: Path
    progress: Progress

    def show(self, text: str) -> None: ...
    def say(self, lines: Iterable[str]) -> None: ...
    def keep_bug(self, details: str) -> str:
        """Put the details of a bug into a file; its name."""


def check_command(
    paths: tuple[str, ...], flags: tuple[str, ...], options: dict[str, Any], screen: Screen
) -> int:
    """Check the programs and report; the exit status."""
    if not paths and not options["database"]:
        raise InputError("no program is given", advice="name a file or a folder, or use -p DIR")
    task = task_of(options)
    jobs = _jobs(paths, chooser(options, screen.root, flags), task, options, screen)
    with ExitStack() as stack:
        logs = _logs(options, jobs, task.asked, screen, stack)
        rows = _check_all(jobs, options, screen, logs)
        whole = overall(rows, IfOpen.ALLOW if options["allow_unknown"] else IfOpen.FAIL)
        for line in expectation_lines(jobs, rows):
            screen.show(inert(safe(line)))
        for line in closing_lines(rows, whole):
            screen.show(line)
        if options["svcomp"]:
            screen.show(svcomp_answer(rows, task.asked))
        for log in logs:
            log.end(whole)
    return whole.status


def task_of(options: dict[str, Any]) -> Task:
    what = asked(options["properties"])
    for name in options["domains"]:
        if name not in DOMAINS:
            raise InputError(f"unknown domain {name!r}", advice=f"there are {', '.join(DOMAINS)}")
    for number in options["assumed"]:
        if number not in ASSUMPTIONS:
            raise InputError(
                f"--assume: there is no assumption {number}",
                advice=f"docs/assumptions.md has the numbers 1 to {max(ASSUMPTIONS)}",
            )
    return Task(
        asked=what,
        entry=_entry(options, what),
        roots=Roots.LIBRARY if options["library"] else Roots.ENTRY,
        domains=tuple(dict.fromkeys(options["domains"])) or DOMAINS,
        malloc=options["malloc"] or ("never-fails" if options["svcomp"] else "may-fail"),
        assumed=tuple(sorted(set(options["assumed"]))),
        search=Search.ON if options["search"] else Search.OFF,
        seconds=options["timeout"],
        memory=int(options["memory"] * (1 << 20)),
        calls=options["calls"] or "",
        alias_classes=options["alias_classes"],
        store=_store(options),
    )


def _store(options: dict[str, Any]) -> str:
    """The folder that keeps summaries; empty if there is none, or it cannot be used."""
    folder = str(options.get("cache") or "")
    store = store_in(folder) if "heap" in (options["domains"] or DOMAINS) else None
    return folder if store is not None and store.is_there() else ""


def _entry(options: dict[str, Any], what: Asked) -> str:
    given = options["entry"]
    if options["library"] and given:
        raise InputError("--library and --entry exclude each other")
    if options["library"] and options["svcomp"]:
        raise InputError("--library and --svcomp exclude each other")
    if given and what.entry and given != what.entry:
        raise InputError(f"--entry is {given}, but the property file starts at {what.entry}")
    return str(given or what.entry or "main")


def _jobs(
    paths: tuple[str, ...], choice: Chooser, task: Task, options: dict[str, Any], screen: Screen
) -> list[Job]:
    """One job a program and, with a task file, a property; what is given twice counts once."""
    jobs: dict[str, Job] = {}
    for path in paths:
        if is_task_file(path):
            for job in task_jobs(path, choice, task, options):
                jobs.setdefault(job.name, job)
    plain = [path for path in paths if not is_task_file(path)]
    if plain or not paths:
        entry = task.entry if task.roots is Roots.ENTRY else ""
        for found in choice.all(plain, entry, screen.progress.show):
            target = found.target
            jobs.setdefault(
                target.name, Job(target.name, target, task, found.origin, found.refused)
            )
    screen.progress.clear()
    if not jobs:
        raise InputError(
            f"no file here has a function {task.entry!r}",
            file=choice.database,
            advice="check its functions with --library, or name another one with --entry",
        )
    return list(jobs.values())


class _Log(Protocol):
    """A report that grows with each program."""

    def add(self, done: Checked) -> None: ...
    def end(self, whole: Overall) -> None: ...


class _JsonFile:
    def __init__(self, output: Output, what: Asked) -> None:
        from precis.reports.plain import JsonLog

        self._output = output
        self._log = JsonLog(__version__, what.properties, what.unchecked)
        output.write(self._log.head())

    def add(self, done: Checked) -> None:
        self._output.write(self._log.add(done))

    def end(self, whole: Overall) -> None:
        self._output.write(self._log.tail(whole))
        self._output.commit()


class _SarifFile:
    def __init__(self, output: Output, root: Path) -> None:
        from precis.reports.sarif import SarifLog

        self._output = output
        self._log = SarifLog(__version__, str(root))
        output.write(self._log.head())

    def add(self, done: Checked) -> None:
        for piece in self._log.add(done):
            self._output.write(piece)

    def end(self, whole: Overall) -> None:
        self._output.write(self._log.tail(whole))
        self._output.commit()


def _logs(
    options: dict[str, Any], jobs: Sequence[Job], what: Asked, screen: Screen, stack: ExitStack
) -> list[_Log]:
    """The report files that were asked for, opened before the work begins."""
    places = {name: options[name] for name in ("json", "sarif") if options[name]}
    inputs = {Path(file.path).resolve() for job in jobs for file in job.target.files}
    for name, place in places.items():
        if place == "-":
            raise InputError(f"--{name} needs the name of a file")
        if Path(place).resolve() in inputs:
            raise InputError(f"--{name} would overwrite a program that is checked", file=place)
    if len(places) == 2 and len({Path(place).resolve() for place in places.values()}) == 1:
        raise InputError("--json and --sarif need different files")
    logs: list[_Log] = []
    if "json" in places:
        logs.append(_JsonFile(stack.enter_context(Output(places["json"])), what))
    if "sarif" in places:
        logs.append(_SarifFile(stack.enter_context(Output(places["sarif"])), screen.root))
    return logs


def _check_all(
    jobs: Sequence[Job], options: dict[str, Any], screen: Screen, logs: Sequence[_Log]
) -> list[Row]:
    """Report each program as soon as those before it are reported; a row for each."""
    detail = Detail.FULL if options["verbose"] else Detail.BRIEF
    rows: list[Row] = []
    done: dict[int, Checked] = {}

    def report_ready() -> None:
        while len(rows) in done:
            ready = done.pop(len(rows))
            screen.progress.clear()
            _report(ready, len(jobs), detail, screen)
            for log in logs:
                log.add(ready)
            rows.append(row_of(ready))

    try:
        with closing(_outcomes(jobs, options["jobs"], screen)) as outcomes:
            for number, outcome in outcomes:
                done[number] = outcome
                report_ready()
    except KeyboardInterrupt:
        screen.say(["precis: interrupted"])
        for number in range(len(rows), len(jobs)):
            interrupted = NotChecked(jobs[number].name, Cause.INTERRUPTED, "interrupted")
            done.setdefault(number, interrupted)
        report_ready()
    finally:
        screen.progress.clear()
    return rows


def _outcomes(
    jobs: Sequence[Job], processes: int, screen: Screen
) -> Generator[tuple[int, Checked], None, None]:
    """What becomes of each program, as it comes; several are checked in other processes."""
    if len(jobs) == 1:
        yield 0, checked(jobs[0], screen.progress.of_program(jobs[0].name))
        return
    from precis.cli.workers import Lost, answers

    seconds = 2 * jobs[0].task.seconds + _PARSING
    with closing(answers([encoded(job) for job in jobs], processes, seconds)) as stream:
        for count, (number, content) in enumerate(stream, 1):
            screen.progress.show(f"{count} of {len(jobs)} programs checked")
            if isinstance(content, Lost):
                yield number, _lost(jobs[number].name, content)
            else:
                yield number, decoded(content)


def _lost(path: str, lost: Any) -> NotChecked:
    if lost.too_long:
        return NotChecked(path, Cause.LIMIT, "the analysis did not end in time (--timeout)")
    if lost.signal == SIGKILL:
        reason = "the analysis was killed, perhaps as memory ran out (a lower -j may help)"
        return NotChecked(path, Cause.LIMIT, reason)
    name = Signals(lost.signal).name if lost.signal else "no answer"
    return NotChecked(path, Cause.TOOL_FAILED, f"the analysis crashed ({name})")


def _report(done: Checked, programs: int, detail: Detail, screen: Screen) -> None:
    lines = program_lines if programs == 1 else heading_lines
    for line in lines(done, detail):
        screen.show(line)
    if not isinstance(done, NotChecked):
        if done.internal:
            reason = done.reason or "an internal check failed"
            screen.say([f"precis: {done.program}: {reason}; this is a bug in Precis"])
    elif done.cause is Cause.INTERNAL:
        name = screen.keep_bug(done.detail)
        bug = f"precis: {done.program}: {done.reason}; this is a bug in Precis"
        screen.say([bug, f"  please report {name}"])
    elif done.cause in (Cause.BAD_INPUT, Cause.TOOL_FAILED):
        place = str(done.at) if done.at.line else done.program
        advice = [f"  {done.detail}"] if done.detail else []
        screen.say([f"precis: {place}: {done.reason}", *advice])
