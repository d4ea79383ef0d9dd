"""Picture -> SVG: one text that needs nothing else, safe to open whatever the program holds.

Every text from the picture goes through `svg_text`; attributes hold numbers and constants
only. There are no scripts, no links and no references, not even inside the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from precis.domains.picture import ArrowStyle, BoxKind, End, Mark, Picture, Row
from precis.reports.layout import Layout, Placed, Point, Route, lay_out
from precis.reports.metrics import Metrics
from precis.reports.routes import Side
from precis.reports.shorten import shortened
from precis.reports.terminal import safe

BOXES_SHOWN = 200

METRICS: Final = Metrics(
    cell=7.83, row=22, title=25, foot=0, pad=14, between=16, indent=14, gap=20, frame_gap=20,
    band_gap=36, track=12, channel=46, shoulder=20, lane=12, first_lane=24, border=0, beside=5,
    columns=8,
)  # fmt: skip

_MARGIN = 28
_TITLE_HEIGHT = 34
_NOTE_HEIGHT = 20
_PAPER = "#fdfdfb"
_MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_SANS = "system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
_INK, _MUTED, _RULE, _POINTED = "#1f2733", "#667085", "#e9eaee", "#fff1cf"


@dataclass(frozen=True, slots=True)
class _Look:
    """Colours of a kind of box."""

    frame: str
    head: str
    name: str
    paper: str = "#ffffff"
    text: str = _INK
    dashes: str = ""


_LOOKS: Final = {
    BoxKind.FRAME: _Look("#5b7fb8", "#e4edfa", "#1d3c6e"),
    BoxKind.GLOBAL: _Look("#4f9a86", "#dff2ec", "#14513f"),
    BoxKind.STACK: _Look("#5b7fb8", "#eef3fb", "#1d3c6e"),
    BoxKind.HEAP: _Look("#b78a3c", "#fbf0d9", "#5e4210"),
    BoxKind.LITERAL: _Look("#9a83bd", "#f0eaf8", "#4a3370"),
    BoxKind.FREED: _Look("#b3b3b8", "#ececee", "#8a8a92", "#f6f6f7", "#a4a4ab", "5 4"),
    BoxKind.SUMMARY: _Look("#b78a3c", "#fbf0d9", "#5e4210"),
}
_STROKES: Final = {
    ArrowStyle.SOLID: ("#38445a", ""),
    ArrowStyle.DASHED: ("#38445a", "6 4"),
    ArrowStyle.DANGLING: ("#cc2f3c", "6 4"),
}
_VALUES: Final = {Mark.STRING: "#2c7a4b", Mark.UNSET: "#b4690e", Mark.GAP: _MUTED}


def svg(picture: Picture) -> str:
    """The picture as an SVG document; at most BOXES_SHOWN boxes of it."""
    picture = shortened(picture, BOXES_SHOWN)
    layout = lay_out(picture, METRICS)
    top = _MARGIN + (_TITLE_HEIGHT if picture.title else 0)
    texts = [METRICS.text(text) for text in (picture.title, *picture.notes)]
    width = max([layout.width, *texts]) + 2 * _MARGIN
    notes = 12 + _NOTE_HEIGHT * len(picture.notes) if picture.notes else 0
    height = top + layout.height + notes + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_MONO}" font-size="13">',
        f"<title>{svg_text(picture.title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>',
    ]
    if picture.title:
        lines.append(_sans(_MARGIN, _MARGIN + 10, picture.title, "16", _INK, "600"))
    lines.append(f'<g transform="translate({_MARGIN} {top})">')
    lines += _boxes(picture, layout)
    for route in layout.routes:
        lines += _arrow(route)
    lines.append("</g>")
    floor = top + layout.height + 12
    for index, note in enumerate(picture.notes):
        y = floor + _NOTE_HEIGHT * (index + 1) - 4
        lines.append(_sans(_MARGIN, y, note, "12", _MUTED, "400"))
    return "\n".join([*lines, "</svg>", ""])


def svg_text(text: str) -> str:
    """Text content of an element; what XML cannot hold is written out."""
    return safe(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _sans(x: int, y: int, text: str, size: str, colour: str, weight: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="{_SANS}" font-size="{size}" '
        f'font-weight="{weight}" fill="{colour}">{svg_text(text)}</text>'
    )


def _text(x: int, y: int, text: str, colour: str, extra: str = "") -> str:
    """Text in the middle of a line; spaces count."""
    return (
        f'<text x="{x}" y="{y + 5}" fill="{colour}" xml:space="preserve"{extra}>'
        f"{svg_text(text)}</text>"
    )


def _boxes(picture: Picture, layout: Layout) -> Iterator[str]:
    pointed = {arrow.target for arrow in picture.arrows if arrow.target.port}
    for placed in layout.boxes:
        yield from _box(placed, pointed)


def _box(placed: Placed, pointed: set[End]) -> Iterator[str]:
    box, x, y = placed.box, placed.x, placed.y
    width, height = placed.size.width, placed.size.height
    look = _LOOKS[box.kind]
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    if box.kind is BoxKind.SUMMARY:
        for away in (8, 4):
            yield _rect(x + away, y + away, width, height, look.paper, look.frame, "")
    yield _rect(x, y, width, height, look.paper, "none", "")
    yield _header(x, y, width, look.head, bool(box.rows))
    for index, row in enumerate(box.rows):
        level = y + METRICS.title + index * METRICS.row
        if row.port and End(box.key, row.port) in pointed:
            yield (
                f'<rect x="{x + 1}" y="{level}" width="{width - 2}" height="{METRICS.row}" '
                f'fill="{_POINTED}"/>'
            )
        if index:
            yield f'<path d="M{x} {level}h{width}" stroke="{_RULE}"/>'
        yield from _row(placed, row, level + METRICS.row // 2)
    yield _rect(x, y, width, height, "none", look.frame, dashes)
    yield from _title(placed, look)


def _rect(x: int, y: int, width: int, height: int, fill: str, stroke: str, extra: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="1.3"{extra}/>'
    )


def _header(x: int, y: int, width: int, fill: str, rows: bool) -> str:
    """The tinted part above the rows, round at the top; round all over if there are none."""
    foot = "" if rows else "a6 6 0 0 0 6 6"
    depth = METRICS.title - 6 if rows else METRICS.title - 12
    across = f"h{width}" if rows else f"h{width - 12}a6 6 0 0 0 6 -6"
    return (
        f'<path d="M{x + 6} {y}a6 6 0 0 0 -6 6v{depth}{foot}{across}'
        f'v{-depth}a6 6 0 0 0 -6 -6z" fill="{fill}"/>'
    )


def _title(placed: Placed, look: _Look) -> Iterator[str]:
    box, y = placed.box, placed.y + METRICS.title // 2
    x = placed.x + METRICS.pad
    if box.tag:
        yield _text(x, y, box.tag, look.frame)
        x += METRICS.text(box.tag + " ")
    yield _text(x, y, box.title, look.name, ' font-weight="600"')
    if box.note:
        right = placed.x + placed.size.width - METRICS.pad
        yield _text(right, y, box.note, look.frame, ' text-anchor="end" font-size="11"')


def _row(placed: Placed, row: Row, y: int) -> Iterator[str]:
    look = _LOOKS[placed.box.kind]
    left = placed.x + METRICS.pad + row.depth * METRICS.indent
    value = placed.x + placed.size.split
    colour = look.text if look.dashes else _MUTED
    yield _text(left, y, row.label, colour)
    ink = look.text if look.dashes else _VALUES.get(row.mark, _INK)
    match row.mark:
        case Mark.NULL:
            yield (
                f'<path d="M{value - 0.5} {y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0'
                f'M{value - 1} {y + 6}l11 -12" fill="none" stroke="{ink}" stroke-width="1.3"/>'
            )
        case Mark.UNSET:
            yield _text(value, y, "?", ink, ' font-weight="600"')
        case _:
            yield _text(value, y, row.value, ink)


def _arrow(route: Route) -> Iterator[str]:
    """A dot in the row it leaves, a line with round corners, a head, the label if any."""
    colour, dashes = _STROKES[route.arrow.style]
    (x, y), inward = route.points[0], 6 if route.leaves is Side.LEFT else -METRICS.pad
    start = (x + inward, y)
    tip, before = route.points[-1], route.points[-2]
    ahead = _direction(before, tip)
    corners = [start, *route.points[1:-1], (tip[0] - 7 * ahead[0], tip[1] - 7 * ahead[1])]
    # A pale edge lets the line pass over those it crosses.
    yield _line(route.points[:-1], _PAPER, "5", "")
    yield _line(corners, colour, "1.6", f' stroke-dasharray="{dashes}"' if dashes else "")
    yield f'<circle cx="{start[0]}" cy="{y}" r="3.4" fill="{colour}"/>'
    yield _head(tip, ahead, colour)
    if route.arrow.label:
        yield from _label(route, colour)


def _direction(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def _line(corners: Sequence[Point], colour: str, width: str, extra: str) -> str:
    course = _rounded(corners)
    return f'<path d="{course}" fill="none" stroke="{colour}" stroke-width="{width}"{extra}/>'


def _rounded(corners: Sequence[Point]) -> str:
    """Straight lines joined by arcs, of half the shorter line at most."""
    parts = [f"M{corners[0][0]} {corners[0][1]}"]
    for before, at, after in zip(corners, corners[1:], corners[2:], strict=False):
        radius = min(8, _distance(before, at) / 2, _distance(at, after) / 2)
        (ax, ay), (bx, by) = _direction(before, at), _direction(at, after)
        parts.append(f"L{at[0] - ax * radius:g} {at[1] - ay * radius:g}")
        parts.append(f"Q{at[0]} {at[1]} {at[0] + bx * radius:g} {at[1] + by * radius:g}")
    parts.append(f"L{corners[-1][0]} {corners[-1][1]}")
    return "".join(parts)


def _distance(start: Point, end: Point) -> int:
    return abs(start[0] - end[0]) + abs(start[1] - end[1])


def _head(tip: Point, ahead: Point, colour: str) -> str:
    (x, y), (dx, dy) = tip, ahead
    wings = [(x - 9 * dx + 4 * turn * dy, y - 9 * dy + 4 * turn * dx) for turn in (1, -1)]
    points = " ".join(f"{px},{py}" for px, py in (tip, *wings))
    return f'<polygon points="{points}" fill="{colour}"/>'


def _label(route: Route, colour: str) -> Iterator[str]:
    """On the longest horizontal part, over a patch of paper."""
    lines = [(a, b) for a, b in pairwise(route.points) if a[1] == b[1]]
    (ax, y), (bx, _) = max(lines, key=lambda line: _distance(*line))
    width = round(METRICS.text(route.arrow.label) * 11 / 13) + 6
    x = (ax + bx) // 2
    yield (
        f'<rect x="{x - width // 2}" y="{y - 18}" width="{width}" height="15" rx="3" '
        f'fill="{_PAPER}" fill-opacity="0.85"/>'
    )
    yield _text(x, y - 11, route.arrow.label, colour, ' text-anchor="middle" font-size="11"')
