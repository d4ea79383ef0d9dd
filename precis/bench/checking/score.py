"""Judged programs, counted and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .judge import SAFE, UNKNOWN, UNSAFE, Fault, Group, Judged


@dataclass(frozen=True, slots=True)
class Score:
    """All programs of a comparison, in order, and the seconds that their checks took."""

    programs: tuple[Judged, ...]
    seconds: float

    def count(self, group: Group, verdict: str) -> int:
        return sum(p.group is group and p.verdict == verdict for p in self.programs)

    def size(self, group: Group) -> int:
        return sum(p.group is group for p in self.programs)

    @property
    def proved(self) -> float:
        """The part of the correct programs that is proved."""
        return _part(self.count(Group.CORRECT, SAFE), self.size(Group.CORRECT))

    @property
    def found(self) -> float:
        """The part of the planted defects that is found, by rule and line."""
        return _part(sum(map(_is_found, self.programs)), self.size(Group.DEFECT))

    def faults(self) -> list[str]:
        return [
            f"{fault.value} {program.source}: {text}"
            for program in self.programs
            for fault, text in program.faults
        ]


def _is_found(program: Judged) -> bool:
    wrong = any(fault is not Fault.MISSED for fault, _ in program.faults)
    return program.group is Group.DEFECT and program.verdict == UNSAFE and not wrong


def _part(some: int, whole: int) -> float:
    return some / whole if whole else 1.0


def lines(score: Score) -> Iterator[str]:
    """The table: verdicts, rules, reasons, everything that is wrong; the seconds come last."""
    yield from _verdicts(score)
    yield from _rules(score)
    yield from _reasons(score)
    faults = score.faults()
    yield f"wrong: {len(faults)}"
    yield from faults
    each = score.seconds / max(1, len(score.programs))
    yield f"seconds: {score.seconds:.1f} in all checks, {each:.2f} for a program"


def _verdicts(score: Score) -> Iterator[str]:
    yield f"{'programs':<24}{'all':>6}{'SAFE':>8}{'UNSAFE':>8}{'UNKNOWN':>9}{'crash':>7}"
    for group in Group:
        counts = [score.count(group, verdict) for verdict in (SAFE, UNSAFE, UNKNOWN, "")]
        safe, unsafe, unknown, crashed = counts
        name = "defect, not asked for" if group is Group.NOT_ASKED else group.value
        yield f"{name:<24}{score.size(group):>6}{safe:>8}{unsafe:>8}{unknown:>9}{crashed:>7}"
    proved, correct = score.count(Group.CORRECT, SAFE), score.size(Group.CORRECT)
    found, planted = sum(map(_is_found, score.programs)), score.size(Group.DEFECT)
    yield f"proved: {proved} of {correct} correct programs ({_percent(proved, correct)})"
    yield f"found: {found} of {planted} planted defects ({_percent(found, planted)})"


def _percent(some: int, whole: int) -> str:
    return f"{100 * some / whole:.0f}%" if whole else "none there"


def _rules(score: Score) -> Iterator[str]:
    asked = [p for p in score.programs if p.group is Group.DEFECT]
    if not asked:
        return
    yield ""
    yield f"{'planted rule':<24}{'all':>6}{'found':>8}{'not':>8}"
    planted = Counter(program.rule for program in asked)
    found = Counter(program.rule for program in asked if _is_found(program))
    for rule, count in sorted(planted.items()):
        yield f"{rule:<24}{count:>6}{found[rule]:>8}{count - found[rule]:>8}"


def _reasons(score: Score) -> Iterator[str]:
    for group, what in ((Group.CORRECT, "correct"), (Group.DEFECT, "with a defect")):
        reasons = Counter(
            program.reason
            for program in score.programs
            if program.group is group and program.verdict == UNKNOWN
        )
        if reasons:
            yield ""
            yield f"UNKNOWN, {what}:"
        for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
            yield f"{count:6d} {reason}"
    yield ""
