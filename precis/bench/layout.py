"""Do gcc and Precis lay types out alike, and convert operands alike?

Random definitions are asked about in programs of many at a time; the same programs are answered by
gcc and by `precis run`, for 64 and for 32 bits. Every answer that differs is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .generator.dice import Dice
from .layouts.answers import NoAnswerError, compiled_answers, precis_answers
from .layouts.definitions import Definition, Definitions, Model
from .layouts.questions import FIGURE, Questions, about_conversions, about_definitions

__all__ = ["Comparison", "Model", "compare"]

PER_PROGRAM = 50


@dataclass(slots=True)
class Comparison:
    """How many definitions and answers were compared, and the differences in words."""

    definitions: int = 0
    answers: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Comparison) -> None:
        self.definitions += other.definitions
        self.answers += other.answers
        self.differences += other.differences


def compare(
    command: Sequence[str], directory: Path, model: Model, seed: int, count: int
) -> Comparison:
    """Compare `count` definitions of a seed, and all conversions."""
    total = _compare_one(command, directory / f"conversions_{model.value}.c", model, None)
    for first in range(0, count, PER_PROGRAM):
        size = min(PER_PROGRAM, count - first)
        definitions = _definitions(seed * 1_000_003 + first, model, size)
        source = directory / f"layout_{model.value}_{first:05d}.c"
        total.add(_compare_one(command, source, model, definitions))
    return total


def _definitions(seed: int, model: Model, count: int) -> list[Definition]:
    made = Definitions(Dice(seed), model)
    return [made.next() for _ in range(count)]


def _compare_one(
    command: Sequence[str], source: Path, model: Model, definitions: list[Definition] | None
) -> Comparison:
    """Compare the answers of one program; without definitions it is about conversions."""
    questions = about_conversions(model) if definitions is None else about_definitions(definitions)
    source.write_text(questions.source, encoding="ascii")
    result = Comparison(len(definitions or ()))
    try:
        theirs = compiled_answers(source, model)
        ours = precis_answers(command, source, model)
    except NoAnswerError as error:
        result.differences.append(f"{source}: {error}")
        return result
    answers = _answers(questions, theirs)
    result.answers = len(answers)
    mine = _answers(questions, ours)
    for asked, their in answers.items():
        if mine.get(asked) != their:
            result.differences.append(f"{source}: {asked}: {mine.get(asked)}, gcc {their}")
    return result


def _answers(questions: Questions, data: bytes) -> dict[str, str]:
    """The answers by what was asked; those that are not in the data are left out."""
    found = {}
    at = 0
    for asked in questions.figures:
        found[asked] = str(int.from_bytes(data[at : at + FIGURE], "little", signed=True))
        at += FIGURE
    for how in ("given", "stored"):
        for name, path in questions.patterns:
            size = int(found[f"(int)sizeof({name})"])
            if at + size <= len(data):
                found[f"{name}, {path} {how}"] = _set_bits(data[at : at + size])
            at += size
        at += 1
    for number, asked in enumerate(questions.truths):
        if at + number < len(data):
            found[f"truth of {asked}"] = str(data[at + number])
    return found


def _set_bits(data: bytes) -> str:
    """The bits that are set, counted from the lowest of the first byte, as ranges."""
    shown = format(int.from_bytes(data, "little"), "b")[::-1]
    runs = (run.span() for run in re.finditer("1+", shown))
    return "bits " + " ".join(f"{start}-{end - 1}" for start, end in runs)
