"""A check as text for people.

Every line passes `inert`, and every text of a program `safe`: names and source lines are
hostile input, also to the build systems that read a log.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final

from precis.engine.results import Finding, Kind, Note, ObligationResult, Result, Status
from precis.ir.location import Location
from precis.reports.assumptions import ASSUMPTIONS
from precis.reports.checked import Checked, NotChecked, Overall, Row, verdict_text
from precis.reports.excerpt import excerpt
from precis.reports.log_lines import inert
from precis.reports.metrics import cells
from precis.reports.rules import RULES
from precis.reports.source import inside, is_ours, shown_file
from precis.reports.terminal import safe

_OPEN_SHOWN: Final = 20
_STACK_SHOWN: Final = 12
_TRACE_SHOWN: Final = 20
_INPUTS_SHOWN: Final = 50
_REASONS_SHOWN: Final = 3
_WIDTH: Final = 60  # of the column of programs


class Detail(Enum):
    BRIEF = "brief"
    FULL = "full"


def program_lines(checked: Checked, detail: Detail) -> Iterator[str]:
    """What is to be said of one program, without its verdict."""
    match checked:
        case NotChecked():
            return
        case Result() as result:
            yield from map(inert, _result(result, detail))


def heading_lines(checked: Checked, detail: Detail) -> Iterator[str]:
    """As `program_lines`, under the name of the program; nothing if it is proved."""
    if isinstance(checked, Result):
        told = detail is Detail.FULL or checked.findings or _standing(checked, Status.OPEN)
        if told or checked.preconditions:
            yield inert(f"--- {safe(checked.program)}")
            yield from program_lines(checked, detail)
            yield ""


def closing_lines(rows: Sequence[Row], whole: Overall) -> Iterator[str]:
    """The assumptions, the table of several programs, and the verdict."""
    numbers = sorted({number for row in rows for number in row.assumptions})
    if numbers:
        names = [f"{n} ({ASSUMPTIONS[n]})" if n in ASSUMPTIONS else str(n) for n in numbers]
        yield f"assumptions used: {', '.join(names)}"
    if len(rows) > 1:
        yield from map(inert, _table(rows))
    text = verdict_text(whole.verdict, whole.rule, whole.reason, whole.preconditions)
    yield inert(f"verdict: {safe(text)}")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    names = [safe(row.program) for row in rows]
    width = min(_WIDTH, max(map(cells, names)))
    for name, row in zip(names, rows, strict=True):
        rule = row.rules[0] if row.rules else ""
        text = verdict_text(row.verdict, rule, row.reason, row.preconditions)
        place = ""
        if row.at.line:
            other = "" if row.at.file == row.program else f"{safe(shown_file(row.at.file))} "
            found = f"{rule} " if row.verdict.value != "UNSAFE" else ""
            place = f"  {found}at {other}line {row.at.line}"
        yield f"{name}{' ' * (width - cells(name))}  {safe(text)}{place}"


def _result(result: Result, detail: Detail) -> Iterator[str]:
    parts = [_finding(finding, result.program) for finding in result.findings]
    for number, part in enumerate((*parts, _rest(result, detail))):
        lines = list(part)
        if number and lines:
            yield ""
        yield from lines


def _rest(result: Result, detail: Detail) -> Iterator[str]:
    """All but the findings."""
    yield from _open(result, detail)
    yield from _conditional(result, detail)
    if result.preconditions:
        yield "preconditions:"
        for need in result.preconditions:
            yield f"  {safe(need.procedure)}: {safe(need.text)}"
            yield f"    for {_place(need.at)} ({safe(need.rule)})"
    if result.obligations:
        yield f"obligations: {_counts(result)}"
    if detail is Detail.FULL:
        yield from _work(result)


def _finding(finding: Finding, program: str) -> Iterator[str]:
    rule = RULES.get(finding.rule)
    yield f"{safe(finding.rule)}: {rule.title}" if rule else safe(finding.rule)
    yield f"  {_place(finding.at)} in {safe(finding.procedure)}"
    yield from (f"  {line}" for line in excerpt(finding.at))
    yield f"  {safe(finding.message)}"
    if finding.kind is Kind.MANIFEST:
        yield "  every call of the function that gets here fails"
    if finding.inner != finding.at and finding.inner.line:
        yield f"  {inside(finding.inner.file)} at {_place(finding.inner)}"
    if finding.block:
        yield f"  {safe(finding.block)}"
    if finding.at.macro:
        yield f"  in the expansion of macro {safe(finding.at.macro)}"
    yield from _listed("inputs", _INPUTS_SHOWN, _inputs(finding))
    yield from _listed(
        "values", _INPUTS_SHOWN, [f"{safe(name)} = {safe(value)}" for name, value in finding.values]
    )
    frames = [f"{safe(note.text)} at {_place(note.at)}" for note in finding.stack]
    yield from _listed("call stack", _STACK_SHOWN, frames)
    if finding.trace:
        yield "  last steps:"
        yield from (f"    {line}" for line in _steps(finding.trace[-_TRACE_SHOWN:]))
    if rule:
        yield f"  what to do: {rule.advice}"
    if finding.replay:
        yield f"  repeat: {safe(_command(finding.replay, program))}"


def _command(replay: str, program: str) -> str:
    """The command that repeats a run; `replay` are its options."""
    return f"precis run {shlex.quote(program)} {replay}"


def _inputs(finding: Finding) -> list[str]:
    return [
        f"{safe(given.source)} = {given.value} at {_place(given.at)}" for given in finding.inputs
    ]


def _listed(title: str, limit: int, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}:"
        yield from (f"    {line}" for line in lines[:limit])
        if len(lines) > limit:
            yield f"    ... and {len(lines) - limit} more"


def _steps(trace: Iterable[Note]) -> Iterator[str]:
    trace = tuple(trace)
    least = min((note.depth for note in trace), default=0)
    for note in trace:
        yield f"{'  ' * min(note.depth - least, 10)}{_place(note.at)}: {safe(note.text)}"


def _open(result: Result, detail: Detail) -> Iterator[str]:
    rows: dict[tuple[Location, str], list[ObligationResult]] = {}
    beyond: Counter[str] = Counter()
    for obligation in _standing(result, Status.OPEN):
        if obligation.is_beyond() and detail is not Detail.FULL:
            beyond[obligation.why] += 1
        else:
            rows.setdefault((obligation.at, obligation.what), []).append(obligation)
    if rows:
        yield from _open_rows(rows, detail)
    for why, count in beyond.items():
        yield f"{safe(why)}: {_number(count, 'open obligation')}"


def _open_rows(
    rows: dict[tuple[Location, str], list[ObligationResult]], detail: Detail
) -> Iterator[str]:
    limit = len(rows) if detail is Detail.FULL else _OPEN_SHOWN
    yield f"open: {_number(len(rows), 'obligation')}"
    for (at, what), same in list(rows.items())[:limit]:
        where = "library function" if same[0].library or is_ours(at.file) else "function"
        yield f"  {_place(at)}: {safe(what)}"
        yield f"    in {where} {safe(same[0].procedure)}"
        reasons = list(dict.fromkeys(obligation.why for obligation in same if obligation.why))
        for why in reasons[:_REASONS_SHOWN]:
            yield f"    why: {safe(why)}"
        if detail is Detail.FULL:
            yield from (f"      {line}" for line in _steps(same[0].trace))
    if len(rows) > limit:
        yield f"  ... and {len(rows) - limit} more (-v shows all)"


def _conditional(result: Result, detail: Detail) -> Iterator[str]:
    found = _standing(result, Status.CONDITIONAL)
    if not found:
        return
    yield f"conditional: {_number(len(found), 'obligation')}, proved if the open ones hold"
    if detail is Detail.FULL:
        for obligation in found:
            places = ", ".join(map(_place, obligation.requires))
            after = f" if those at {places} hold" if places else ""
            yield f"  {_place(obligation.at)}: {safe(obligation.what)}{after}"


def _standing(result: Result, status: Status) -> list[ObligationResult]:
    return [obligation for obligation in result.obligations if obligation.status is status]


def _counts(result: Result) -> str:
    counts = [(status, len(_standing(result, status))) for status in Status]
    return ", ".join(f"{count} {status.value}" for status, count in counts if count)


def _work(result: Result) -> Iterator[str]:
    """What the analyses did, for -v."""
    if result.procedures:
        yield "procedures:"
    for procedure in result.procedures:
        parts = (
            _number(procedure.activations, "activation"),
            _number(procedure.states, "state"),
            _number(procedure.steps, "step"),
        )
        library = ", library" if procedure.library else ""
        yield f"  {safe(procedure.name)} ({safe(procedure.stage)}{library}): {', '.join(parts)}"
        for reason in procedure.given_up:
            yield f"    given up: {safe(reason)}"
        for cuts in filter(None, (measures.get("cuts") for measures in procedure.measures)):
            yield "    cut: " + ", ".join(f"{safe(what)} ({n})" for what, n in cuts.items())
        for summary in procedure.summaries:
            yield from (f"    {safe(line)}" for line in summary)
    if result.stages:
        yield "stages:"
    for stage in result.stages:
        stopped = f"; stopped: {safe(stage.stopped)}" if stage.stopped else ""
        recalled = f", {_summaries(stage.recalled)} from the store" if stage.recalled else ""
        yield (
            f"  {safe(stage.name)}: decided {stage.decided}, left {stage.left}, "
            f"{safe(stage.cost)}{recalled}{stopped}"
        )


def _summaries(count: int) -> str:
    return "1 summary" if count == 1 else f"{count:,} summaries"


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _place(at: Location) -> str:
    if not at.line:
        return "the start"
    column = f":{at.column}" if at.column else ""
    return f"{safe(shown_file(at.file))}:{at.line}{column}"
