"""Picture -> text for a terminal: boxes and arrows of box-drawing characters.

A picture that fits the width is drawn with its arrows; the columns wrap as words do. Any other
is a list of boxes, with the name of the target in place of an arrow.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row
from precis.reports.layers import links_of
from precis.reports.layout import Layout, Placed, Point, Route, lay_out
from precis.reports.metrics import Metrics, cell_width, cells, heading, shown_value
from precis.reports.routes import Side
from precis.reports.shorten import shortened
from precis.reports.terminal import safe

WIDTH = 100
BOXES_SHOWN = 200
_ARROWS_DRAWN = 300  # more could not be followed by eye

METRICS: Final = Metrics(
    cell=1, row=1, title=1, foot=1, pad=2, between=1, indent=2, gap=1, frame_gap=0, band_gap=2,
    track=2, channel=4, shoulder=3, lane=1, first_lane=2, border=1, beside=0, columns=8,
)  # fmt: skip

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES: Final = dict(enumerate(" ╵╷│╴╯╮┤╶╰╭├─┴┬┼"))
_CORNERS: Final = {
    BoxKind.FRAME: "┏┓┗┛━┃",
    BoxKind.GLOBAL: "┏┓┗┛━┃",
    BoxKind.FREED: "┌┐└┘╌╎",
    BoxKind.SUMMARY: "╔╗╚╝═║",
}
_PLAIN_CORNERS: Final = "┌┐└┘─│"


def unicode_text(picture: Picture, width: int = WIDTH) -> str:
    """The picture as lines of text, none longer than `width` if it can be helped."""
    picture = shortened(picture, BOXES_SHOWN)
    lines = [safe(picture.title), ""] if picture.title else []
    layout = _fitting(picture, width)
    lines += _drawn(layout) if layout is not None else _listed(picture)
    if picture.notes:
        lines.append("")
    lines += [safe(note) for note in picture.notes]
    return "\n".join(lines) + "\n"


def _fitting(picture: Picture, width: int) -> Layout | None:
    """A layout that fits, with as many columns as it can have."""
    if len(picture.arrows) > _ARROWS_DRAWN:
        return None
    for columns in range(METRICS.columns, 1, -1):
        layout = lay_out(picture, replace(METRICS, columns=columns))
        if layout.width <= width and _labels_fit(layout):
            return layout
    return None


def _labels_fit(layout: Layout) -> bool:
    """Is there a place for each label, with no other on it?"""
    taken: set[tuple[int, int]] = set()
    for route in layout.routes:
        if not route.arrow.label:
            continue
        (ax, y), (bx, _) = _longest(route)
        x, width = _label_place(route)
        places = {(x + i, y) for i in range(width)}
        if width > abs(ax - bx) - 3 or taken & places:
            return False
        taken |= places
    return True


def _label_place(route: Route) -> tuple[int, int]:
    """Where the label begins and how many cells it takes."""
    (ax, _), (bx, _) = _longest(route)
    width = cells(route.arrow.label)
    return (ax + bx - width) // 2 + 1, width


def _longest(route: Route) -> tuple[Point, Point]:
    lines = [(a, b) for a, b in pairwise(route.points) if a[1] == b[1]]
    return max(lines, key=lambda line: abs(line[0][0] - line[1][0]))


class _Sheet:
    """Cells of characters; lines that meet become corners and crossings."""

    def __init__(self, width: int, height: int) -> None:
        self.cells = [[" "] * (width + 1) for _ in range(height + 1)]
        self.lines: dict[tuple[int, int], int] = {}

    def put(self, x: int, y: int, text: str) -> None:
        for character in safe(text):
            wide = cell_width(character)
            if wide == 0:
                self.cells[y][x - 1] += character
                continue
            self.cells[y][x] = character
            if wide == 2:
                self.cells[y][x + 1] = ""
            x += wide

    def line(self, start: Point, end: Point, style: ArrowStyle) -> None:
        (ax, ay), (bx, by) = start, end
        dx, dy = (bx > ax) - (bx < ax), (by > ay) - (by < ay)
        onward = _RIGHT if dx > 0 else _LEFT if dx else _DOWN if dy > 0 else _UP
        back = {_RIGHT: _LEFT, _LEFT: _RIGHT, _UP: _DOWN, _DOWN: _UP}[onward]
        x, y = start
        while (x, y) != end:
            self._join(x, y, onward, style)
            x, y = x + dx, y + dy
            self._join(x, y, back, style)

    def _join(self, x: int, y: int, direction: int, style: ArrowStyle) -> None:
        joined = self.lines.get((x, y), 0) | direction
        self.lines[x, y] = joined
        shape = _LINES[joined]
        if style is not ArrowStyle.SOLID:
            shape = {"─": "╌", "│": "╎"}.get(shape, shape)
        self.cells[y][x] = shape

    def text(self) -> list[str]:
        lines = ["".join(line).rstrip() for line in self.cells]
        while lines and not lines[-1]:
            lines.pop()
        return lines


def _drawn(layout: Layout) -> list[str]:
    sheet = _Sheet(layout.width, layout.height)
    for placed in layout.boxes:
        _box(sheet, placed)
    for route in layout.routes:
        dx, dy = _step(route)
        x, y = route.points[-1]
        for start, end in pairwise((*route.points[:-1], (x - dx, y - dy))):
            sheet.line(start, end, route.arrow.style)
    for route in layout.routes:
        _ends(sheet, route)
    return sheet.text()


def _box(sheet: _Sheet, placed: Placed) -> None:
    box, x, y = placed.box, placed.x, placed.y
    width, height, split = placed.size.width, placed.size.height, placed.size.split
    shape = _CORNERS.get(box.kind, _PLAIN_CORNERS)
    right, bottom = x + width - 1, y + height - 1
    sheet.put(x, y, shape[0] + shape[4] * (width - 2) + shape[1])
    sheet.put(x, bottom, shape[2] + shape[4] * (width - 2) + shape[3])
    sheet.put(x + 2, y, f" {heading(box)} ")
    if box.note:
        sheet.put(right - 3 - cells(box.note), y, f" {box.note} ")
    for index, row in enumerate(box.rows):
        level = y + 1 + index
        sheet.put(x, level, shape[5])
        sheet.put(right, level, shape[5])
        sheet.put(x + METRICS.pad + METRICS.indent * row.depth, level, row.label)
        sheet.put(x + split, level, _value(row))


def _value(row: Row) -> str:
    return row.value if row.mark is Mark.POINTER else shown_value(row.value, row.mark)


def _step(route: Route) -> tuple[int, int]:
    """The direction an arrow arrives in."""
    (bx, by), (x, y) = route.points[-2:]
    return (x > bx) - (x < bx), (y > by) - (y < by)


def _ends(sheet: _Sheet, route: Route) -> None:
    """The start of an arrow in its row, its head before its target, its label."""
    x, y = route.points[0]
    if route.leaves is Side.RIGHT:
        sheet.put(x - 2, y, "●─┼" if route.arrow.style is ArrowStyle.SOLID else "●╌┼")
    else:
        sheet.put(x, y, "┼●")
    (tx, ty), (dx, dy) = route.points[-1], _step(route)
    head = {(1, 0): "▶", (-1, 0): "◀", (0, 1): "▼", (0, -1): "▲"}[dx, dy]
    sheet.put(tx - dx, ty - dy, head)
    if route.arrow.label:
        x, _ = _label_place(route)
        sheet.put(x, _longest(route)[0][1], route.arrow.label)


def _listed(picture: Picture) -> list[str]:
    """The boxes one below the other, pointers by the name of their target."""
    targets: dict[End, list[str]] = {}
    for link in links_of(picture):
        arrow = picture.arrows[link.arrow]
        text = _reference(arrow, picture.boxes[link.target], link.target_row)
        targets.setdefault(arrow.source, []).append(text)
    boxes = tuple(
        replace(box, rows=tuple(_pointing(box, row, targets) for row in box.rows))
        for box in picture.boxes
    )
    lines: list[str] = []
    for box in boxes:
        lines += _drawn(lay_out(Picture("", (box,)), METRICS))
    return lines


def _reference(arrow: Arrow, target: Box, row: int | None) -> str:
    line = "──" if arrow.style is ArrowStyle.SOLID else "╌╌"
    label = f" {arrow.label} {line}" if arrow.label else ""
    place = f" at {target.rows[row].label}" if row is not None else ""
    gone = f" ({target.note or 'freed'})" if target.kind is BoxKind.FREED else ""
    return f"{line}{label}▶ {heading(target)}{place}{gone}"


def _pointing(box: Box, row: Row, targets: dict[End, list[str]]) -> Row:
    found = targets.get(End(box.key, row.port)) if row.port else None
    if not found:
        return row
    value = " or ".join(found)
    return replace(row, value=f"{row.value} {value}".strip(), mark=Mark.PLAIN)
