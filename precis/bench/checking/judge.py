"""The planted truth of a program against the verdict of `precis check`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ..agreement.verdicts import Truth
from ..generator.truth import PROPERTY_OF
from .answers import Answer, Claim, Shown
from .reasons import reason_of

SAFE, UNSAFE, UNKNOWN = "SAFE", "UNSAFE", "UNKNOWN"
_PROVED = ("proved", "conditional")


class Group(Enum):
    """What can be asked of the verdict about a program."""

    CORRECT = "correct"  # SAFE or UNKNOWN
    DEFECT = "defect"  # UNSAFE or UNKNOWN
    NOT_ASKED = "not asked"  # the defect is of a property that is not checked: anything


class Fault(Enum):
    """What must never happen."""

    WRONG_SAFE = "WRONG SAFE"
    WRONG_UNSAFE = "WRONG UNSAFE"
    MISSED = "MISSED"  # the planted obligation is held to be met
    CRASH = "CRASH"


@dataclass(frozen=True, slots=True)
class Judged:
    """A program, what the check says of it, and what is wrong with that."""

    source: Path
    group: Group
    rule: str  # the planted one; empty: correct
    verdict: str  # empty: there is no result
    reason: str = ""  # of UNKNOWN, without what is peculiar to the program
    faults: tuple[tuple[Fault, str], ...] = ()


def judged(truth: Truth, properties: Collection[str], answer: Answer) -> Judged:
    """The answer to a check of these properties, held against the truth."""
    group = _group(truth, properties)
    if answer.failure:
        fault = (Fault.CRASH, answer.failure)
        return Judged(truth.source, group, truth.rule, "", faults=(fault,))
    faults = [(Fault.WRONG_UNSAFE, text) for text in _wrongly_shown(truth, group, answer)]
    if group is Group.DEFECT:
        if answer.verdict == SAFE:
            faults.append((Fault.WRONG_SAFE, f"{truth.rule} at line {truth.line} is planted"))
        else:
            faults += [(Fault.MISSED, text) for text in _missed(truth, answer)]
    reason = reason_of(answer) if answer.verdict == UNKNOWN else ""
    return Judged(truth.source, group, truth.rule, answer.verdict, reason, tuple(faults))


def _group(truth: Truth, properties: Collection[str]) -> Group:
    if not truth.rule:
        return Group.CORRECT
    return Group.DEFECT if PROPERTY_OF[truth.rule] in properties else Group.NOT_ASKED


def _wrongly_shown(truth: Truth, group: Group, answer: Answer) -> list[str]:
    if answer.verdict == UNSAFE and not answer.shown:
        return [f"{answer.rule} without a run"]
    wrong = []
    for shown in answer.shown:
        if group is Group.CORRECT:
            wrong.append(f"{shown}; the program is correct")
        elif group is Group.DEFECT and (shown.rule, shown.line) != (truth.rule, truth.line):
            wrong.append(f"{shown}; planted is {truth.rule} at line {truth.line}")
        elif not _breaks(truth, shown):
            wrong.append(f"{shown}; on these inputs no rule is broken")
    return wrong


def _breaks(truth: Truth, shown: Shown) -> bool:
    """Whether the inputs of a run, which may end before it has read all, break the program.

    What follows a planted defect of another property is not known: it may break anything.
    """
    count = len(shown.inputs)
    return any(values[:count] == shown.inputs[: len(values)] for values in truth.inputs)


def _missed(truth: Truth, answer: Answer) -> list[str]:
    """What is wrong with how the planted obligation is said to stand.

    A conditional one is claimed to hold in runs that break nothing before it: the planted defect
    is the first thing that its run breaks.
    """
    planted = f"{truth.rule} at line {truth.line} is planted"
    property_ = PROPERTY_OF[truth.rule]
    here = [c for c in answer.claims if c.property == property_ and c.line == truth.line]
    if any(claim.status not in _PROVED for claim in here):
        return []
    if _calls(truth) and any(_left_in_library(claim, property_) for claim in answer.claims):
        return []
    if answer.claims and not here:
        return [f"{planted}, no obligation stands there"]
    stands = ", ".join(dict.fromkeys(claim.status for claim in here))
    return [f"{planted}, what stands there is {stands}"] if here else []


def _calls(truth: Truth) -> bool:
    line = truth.source.read_text("ascii").splitlines()[truth.line - 1]
    return re.search(r"\w\s*\(", line) is not None


def _left_in_library(claim: Claim, property_: str) -> bool:
    """Obligations of library functions stand there, or at the first of the calls in question."""
    return claim.library and claim.property == property_ and claim.status not in _PROVED
