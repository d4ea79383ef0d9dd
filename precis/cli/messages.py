"""What a run says on the terminal when it does not simply end."""

from __future__ import annotations

from collections.abc import Iterator

from precis.interp.outcome import Ending, Outcome, Violation
from precis.ir.location import Location
from precis.reports.excerpt import excerpt
from precis.reports.rules import RULES
from precis.reports.terminal import safe

_STACK_SHOWN = 12


def of_outcome(outcome: Outcome) -> Iterator[str]:
    """Lines for stderr; none for a program that ended by itself."""
    place = f" at {_place(outcome.at)}" if outcome.at else ""
    match outcome.ending:
        case Ending.EXIT:
            return
        case Ending.VIOLATION:
            assert outcome.violation is not None
            yield from of_violation(outcome.violation)
            yield from _inputs(outcome)
        case Ending.ASSUME_FAILED:
            yield f"note: the run ends: the assumption{place} does not hold"
        case Ending.UNDEFINED:
            yield f"undecided: undefined behaviour, not checked{place}: {safe(outcome.reason)}"
        case Ending.OUT_OF_TIME:
            yield f"undecided: the time limit was reached{place} (--timeout)"
        case Ending.OUT_OF_MEMORY:
            yield f"undecided: {safe(outcome.reason)}{place} (--memory)"
        case Ending.UNSUPPORTED:
            yield f"undecided: not supported{place}: {safe(outcome.reason)}"
        case Ending.NO_VALUE:
            yield f"precis: {safe(outcome.reason)}{place}"


def of_violation(violation: Violation) -> Iterator[str]:
    yield f"violation: {violation.rule} {safe(violation.at.file)}:{violation.at.line}"
    yield f"  {safe(violation.message)}"
    for line in excerpt(violation.at):
        yield f"  {line}"
    if violation.inner != violation.at:
        yield f"  inside the library model at {_place(violation.inner)}"
    if violation.block is not None:
        yield f"  {safe(violation.block.text)}"
    if violation.at.macro:
        yield f"  in the expansion of macro {safe(violation.at.macro)}"
    if violation.values:
        yield "  values:"
        for name, value in violation.values:
            yield f"    {safe(name)} = {safe(value)}"
    yield "  call stack:"
    for frame in violation.stack[:_STACK_SHOWN]:
        yield f"    {safe(frame.procedure)} at {_place(frame.at)}"
    if len(violation.stack) > _STACK_SHOWN:
        yield f"    ... and {len(violation.stack) - _STACK_SHOWN} more"
    if violation.trace:
        yield "  last steps:"
        for step in violation.trace:
            yield f"    {_place(step.at)}: {safe(step.text)}"
    rule = RULES.get(violation.rule)
    if rule is not None:
        yield f"  what to do: {rule.advice}"


def _inputs(outcome: Outcome) -> Iterator[str]:
    if outcome.chosen:
        yield "  inputs:"
        for choice in outcome.chosen[:50]:
            yield f"    {safe(choice.source)} = {choice.value} at {_place(choice.at)}"
        if len(outcome.chosen) > 50:
            yield f"    ... and {len(outcome.chosen) - 50} more"


def _place(at: Location) -> str:
    return f"{safe(at.file)}:{at.line}" if at.line else "the start"
