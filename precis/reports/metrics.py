"""How large things are on paper: pixels of a drawing, or cells of a terminal."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass

from precis.domains.picture import Box, Mark
from precis.reports.terminal import safe


@dataclass(frozen=True, slots=True)
class Metrics:
    """Lengths in the unit of the medium. A right edge is `x + width - border`: in a terminal
    the frame of a box takes a cell of its own."""

    cell: float  # width of a character
    row: int  # height of a row
    title: int  # height above the first row
    foot: int  # height below the last row
    pad: int  # between the frame and its text
    between: int  # between label and value
    indent: int  # per level of depth
    gap: int  # between boxes of a column
    frame_gap: int  # between frames
    band_gap: int
    track: int  # between vertical lines of a channel
    channel: int  # least width of a channel
    shoulder: int  # between a box and the first vertical line
    lane: int  # between horizontal lines
    first_lane: int  # between a box and the first horizontal line
    border: int
    beside: int  # how far from the middle of a row an arrow ends if another begins there
    columns: int  # of boxes, before a new band begins

    def row_y(self, row: int) -> int:
        """The middle of a row, from the top of its box."""
        return self.title + row * self.row + self.row // 2

    @property
    def title_y(self) -> int:
        return self.title // 2

    def text(self, text: str) -> int:
        return math.ceil(cells(text) * self.cell)


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    height: int
    split: int  # where values begin, from the left


def cells(text: str) -> int:
    """How many cells of a terminal the text takes once it is made safe."""
    shown = safe(text)
    return len(shown) if shown.isascii() else sum(map(cell_width, shown))


def cell_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def heading(box: Box) -> str:
    """What stands above the rows of a box."""
    return f"{box.tag} {box.title}" if box.tag else box.title


def size(box: Box, metrics: Metrics) -> Size:
    labels, values, spanning = 0, 0, 0
    for row in box.rows:
        label = row.depth * metrics.indent + metrics.text(row.label)
        if row.mark in (Mark.HEADING, Mark.GAP):
            spanning = max(spanning, label)
            continue
        labels = max(labels, label)
        values = max(values, metrics.text(shown_value(row.value, row.mark)))
    between = metrics.between if labels and values else 0
    note = metrics.text("   " + box.note) if box.note else 0
    head = metrics.text(heading(box)) + note + 2 * metrics.border
    inner = max(labels + between + values, spanning, head)
    height = metrics.title + len(box.rows) * metrics.row + metrics.foot
    return Size(inner + 2 * metrics.pad, height, metrics.pad + labels + between)


def shown_value(value: str, mark: Mark) -> str:
    """The text of a value, with the sign that stands for its mark."""
    match mark:
        case Mark.NULL:
            return "∅"
        case Mark.UNSET:
            return "?"
        case Mark.POINTER:
            return f"{value} ●" if value else "●"
        case _:
            return value
