"""The verdict of `precis check` against what Predator expects."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..checking.answers import Answer
from ..checking.judge import SAFE, UNSAFE
from ..checking.reasons import plain, reason_of
from ..generator.truth import PROPERTY_OF
from .expected import Expected

_NOT_READ = "bad-input"  # a program that Precis does not take is undecided


class Outcome(Enum):
    """How a verdict stands to what is expected."""

    SAFE = "SAFE, as expected"
    UNSAFE = "UNSAFE, as expected"
    UNDECIDED = "undecided"
    NOT_COMPARED = "not compared"  # Predator does not know
    WRONG_SAFE = "wrong SAFE"
    WRONG_UNSAFE = "wrong UNSAFE"
    OTHER_PROPERTY = "UNSAFE by another property"
    CRASH = "crash"


DIFFERENCES = (Outcome.WRONG_SAFE, Outcome.WRONG_UNSAFE, Outcome.OTHER_PROPERTY, Outcome.CRASH)


@dataclass(frozen=True, slots=True)
class Judged:
    """A program, what is expected and said of it, and how the two compare."""

    name: str
    expected: Expected
    outcome: Outcome
    verdict: str  # empty: there is no result
    said: str = ""  # the violations that are shown, or what failed
    lines: tuple[int, ...] = ()  # of the violations
    reason: str = ""  # of what is undecided, without what is peculiar to the program
    seconds: float = 0.0

    @property
    def differs(self) -> bool:
        return self.outcome in DIFFERENCES

    @property
    def at_expected_line(self) -> bool:
        return any(error.line in self.lines for error in self.expected.errors)

    def __str__(self) -> str:
        said = " ".join(filter(None, (self.verdict, self.said)))
        return f"{self.outcome.value}: {self.name}: expected {self.expected}; said {said}"


def judged(name: str, expected: Expected, answer: Answer, seconds: float = 0.0) -> Judged:
    """The answer to a check, held against what is expected."""
    outcome = _outcome(expected, answer)
    shown = [f"{shown.rule} at line {shown.line}" for shown in answer.shown]
    said = answer.failure or ", ".join(shown or filter(None, [answer.rule]))
    reason = ""
    if outcome is Outcome.UNDECIDED:
        reason = plain(answer.failure) if answer.failure else reason_of(answer)
    lines = tuple(shown.line for shown in answer.shown)
    verdict = "" if answer.failure else answer.verdict
    return Judged(name, expected, outcome, verdict, said, lines, reason, seconds)


def _outcome(expected: Expected, answer: Answer) -> Outcome:
    if answer.failure:
        not_read = answer.failure.startswith(_NOT_READ)
        return Outcome.UNDECIDED if not_read else Outcome.CRASH
    if expected.gave_up and not expected.errors:
        return Outcome.NOT_COMPARED
    if answer.verdict == SAFE:
        return Outcome.WRONG_SAFE if expected.errors else Outcome.SAFE
    if answer.verdict != UNSAFE:
        return Outcome.UNDECIDED
    if not expected.errors:
        return Outcome.WRONG_UNSAFE
    rules = {shown.rule for shown in answer.shown} or {answer.rule}
    broken = {PROPERTY_OF.get(rule, rule) for rule in rules}
    return Outcome.UNSAFE if broken <= set(expected.properties) else Outcome.OTHER_PROPERTY
