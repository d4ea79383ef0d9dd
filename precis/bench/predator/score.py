"""Judged programs, counted and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..checking.judge import SAFE, UNKNOWN, UNSAFE
from .judge import Judged, Outcome

_MOST: Final = 20  # reasons that are listed


def lines(programs: Sequence[Judged]) -> Iterator[str]:
    """The table: how verdicts stand to expectations, why some are undecided; seconds come last."""
    yield f"{'programs':<32}{len(programs):>6}"
    for outcome in Outcome:
        alike = [program for program in programs if program.outcome is outcome]
        yield f"{outcome.value:<32}{len(alike):>6}{_remark(outcome, alike)}"
    yield from _reasons("correct", [p for p in programs if not p.expected.errors])
    yield from _reasons("with an error", [p for p in programs if p.expected.errors])
    seconds = sum(program.seconds for program in programs)
    each = seconds / max(1, len(programs))
    yield ""
    yield f"seconds: {seconds:.1f} in all checks, {each:.2f} for a program"


def _remark(outcome: Outcome, programs: Sequence[Judged]) -> str:
    match outcome:
        case Outcome.UNSAFE:
            return f"  {sum(p.at_expected_line for p in programs)} of them at an expected line"
        case Outcome.UNDECIDED:
            wrong = sum(bool(p.expected.errors) for p in programs)
            return f"  {len(programs) - wrong} of them correct, {wrong} with an error"
        case Outcome.NOT_COMPARED:
            counts = Counter(program.verdict for program in programs)
            return "  " + ", ".join(f"{counts[name]} {name}" for name in (SAFE, UNSAFE, UNKNOWN))
        case _:
            return ""


def _reasons(what: str, programs: Sequence[Judged]) -> Iterator[str]:
    reasons = Counter(p.reason for p in programs if p.outcome is Outcome.UNDECIDED)
    if not reasons:
        return
    yield ""
    yield f"undecided, {what}:"
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    for reason, count in ordered[:_MOST]:
        yield f"{count:6d} {reason}"
    if rest := sum(count for _, count in ordered[_MOST:]):
        yield f"{rest:6d} for other reasons"


def plain_rows(programs: Sequence[Judged]) -> list[dict[str, Any]]:
    """The programs as values that JSON has."""
    return [
        {
            "name": program.name,
            "expected": str(program.expected),
            "outcome": program.outcome.value,
            "verdict": program.verdict,
            "said": program.said,
            "reason": program.reason,
            "seconds": round(program.seconds, 2),
        }
        for program in programs
    ]
