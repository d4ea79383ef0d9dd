"""Generated Python as a tree of lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]  # a step: number of its block, number in it (len: the end)
NO_PLACE: Place = (-1, -1)


@dataclass(slots=True)
class Line:
    text: str
    place: Place


@dataclass(slots=True)
class Nest:
    """A compound statement: its head ends in a colon."""

    head: str
    body: Code
    place: Place


@dataclass(slots=True)
class Goto:
    """A jump to a block; how it is written is known when all jumps are."""

    to: int
    way: str  # "", "continue" or "break"
    place: Place


Code: TypeAlias = list["Line | Nest | Goto"]


def render(code: Code, labels: dict[int, int], indent: int = 0) -> tuple[list[str], list[Place]]:
    """Lines of Python and the step each belongs to.

    `labels` numbers the blocks whose jumps have to set L; other jumps need not.
    """
    lines: list[str] = []
    places: list[Place] = []
    _render(code, labels, indent, lines, places)
    return lines, places


def _render(
    code: Code, labels: dict[int, int], indent: int, lines: list[str], places: list[Place]
) -> None:
    start = len(lines)
    margin = " " * indent
    for item in code:
        if isinstance(item, Nest):
            lines.append(margin + item.head)
            places.append(item.place)
            _render(item.body, labels, indent + 1, lines, places)
            continue
        texts = [item.text] if isinstance(item, Line) else _jump(item, labels)
        for text in texts:
            lines.append(margin + text)
            places.append(item.place)
    if len(lines) == start:
        lines.append(margin + "pass")
        places.append(NO_PLACE)


def _jump(goto: Goto, labels: dict[int, int]) -> list[str]:
    texts = [f"L = {labels[goto.to]}"] if goto.to in labels else []
    if goto.way:
        texts.append(goto.way)
    return texts
