"""A check of one or several programs: what became of each, and of all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from precis.engine.results import Result, Verdict
from precis.ir.location import NOWHERE, Location

SAFE, FOUND, BAD_INPUT, TOOL_FAILED, OUR_BUG, OPEN, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

# Of several exit statuses the first of these: a verdict over programs of which some could not be
# looked at must not pass for a verdict over all.
COULD_NOT: Final = (INTERRUPTED, OUR_BUG, TOOL_FAILED, BAD_INPUT)
_WORST_FIRST: Final = (*COULD_NOT, FOUND, OPEN, SAFE)


class Cause(Enum):
    """Why a program has no result."""

    BAD_INPUT = "bad-input"
    TOOL_FAILED = "tool-failed"
    INTERNAL = "internal-error"
    NO_ENTRY = "no-entry"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"


_STATUS: Final = {
    Cause.BAD_INPUT: BAD_INPUT,
    Cause.TOOL_FAILED: TOOL_FAILED,
    Cause.INTERNAL: OUR_BUG,
    Cause.NO_ENTRY: OPEN,
    Cause.LIMIT: OPEN,
    Cause.INTERRUPTED: INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A program without a result. `reason` is one line; `detail` (advice, a traceback) is not
    part of any report; `at` is the place of a bad input, if it has one."""

    program: str
    cause: Cause
    reason: str
    detail: str = ""
    at: Location = NOWHERE


Checked: TypeAlias = Result | NotChecked


@dataclass(frozen=True, slots=True)
class Row:
    """One program among several: all that the overall verdict depends on."""

    program: str
    verdict: Verdict
    rules: tuple[str, ...]  # of its findings, that of the verdict first
    reason: str
    at: Location  # of the first finding
    preconditions: int
    assumptions: tuple[int, ...]
    status: int


@dataclass(frozen=True, slots=True)
class Overall:
    """The worst verdict, with the reason in words, and the exit status."""

    verdict: Verdict
    rule: str
    reason: str
    preconditions: int
    status: int


class IfOpen(Enum):
    """Whether a check that leaves something open has failed."""

    FAIL = "fail"
    ALLOW = "allow"


def row_of(checked: Checked) -> Row:
    match checked:
        case NotChecked(program=program, cause=cause):
            reason, status = _placed(checked), _STATUS[cause]
            return Row(program, Verdict.UNKNOWN, (), reason, NOWHERE, 0, (), status)
        case Result() as result:
            rules = (result.rule, *(finding.rule for finding in result.findings))
            places = [f.at for f in result.findings if f.rule == result.rule or not result.rule]
            return Row(
                result.program,
                result.verdict,
                tuple(dict.fromkeys(filter(None, rules))),
                result.reason,
                places[0] if places else NOWHERE,
                len(result.preconditions),
                result.assumptions,
                _status(result),
            )


def _placed(failed: NotChecked) -> str:
    """The reason with its place, as far as the program does not tell it."""
    at = failed.at
    if not at.line:
        return failed.reason
    return (
        f"line {at.line}: {failed.reason}"
        if at.file == failed.program
        else f"{at}: {failed.reason}"
    )


def _status(result: Result) -> int:
    if result.internal:
        return OUR_BUG
    if result.verdict is Verdict.UNSAFE or (result.library and result.findings):
        return FOUND
    return SAFE if result.verdict is Verdict.SAFE else OPEN


def overall(rows: Sequence[Row], if_open: IfOpen) -> Overall:
    statuses = {row.status for row in rows}
    if if_open is IfOpen.ALLOW and OPEN in statuses:
        statuses = statuses - {OPEN} | {SAFE}
    status = next(status for status in _WORST_FIRST if status in statuses)
    unsafe = [row for row in rows if row.verdict is Verdict.UNSAFE]
    if unsafe:
        return Overall(Verdict.UNSAFE, unsafe[0].rules[0], "", 0, status)
    unknown = [row for row in rows if row.verdict is Verdict.UNKNOWN]
    if unknown:
        return Overall(Verdict.UNKNOWN, "", _reason(unknown, len(rows)), 0, status)
    return Overall(Verdict.SAFE, "", "", sum(row.preconditions for row in rows), status)


def _reason(unknown: Sequence[Row], count: int) -> str:
    if count == 1:
        return unknown[0].reason
    bad = sum(row.status in COULD_NOT for row in unknown)
    parts = []
    if len(unknown) > bad:
        parts.append(f"{len(unknown) - bad} of {count} programs undecided")
    if bad:
        parts.append(f"{bad} of {count} programs could not be checked")
    return ", ".join(parts)


def verdict_text(verdict: Verdict, rule: str, reason: str, preconditions: int) -> str:
    """`SAFE`, `SAFE under 2 preconditions`, `UNSAFE (rule)` or `UNKNOWN (reason)`."""
    if verdict is Verdict.SAFE and preconditions:
        return f"SAFE under {preconditions} precondition{'s' if preconditions > 1 else ''}"
    note = rule if verdict is Verdict.UNSAFE else reason if verdict is Verdict.UNKNOWN else ""
    return f"{verdict.value} ({note})" if note else str(verdict.value)
