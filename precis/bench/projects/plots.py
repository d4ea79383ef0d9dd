"""Plots as SVG: points of size against depth, bars of class sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

_WIDTH: Final = 640
_HEIGHT: Final = 360
_LEFT: Final = 60
_BELOW: Final = 50
_COLOURS: Final = ("#3367a8", "#c2571a", "#3a8a4d", "#8a3a7a")


def scatter(title: str, points: Sequence[tuple[int, int]], medians: Mapping[int, float]) -> str:
    """Sizes on a logarithmic axis, a line through their medians."""
    deepest = max([1, *(x for x, _ in points)])
    most = max([10, *(y for _, y in points)])

    def place(x: float, y: float) -> tuple[float, float]:
        return _across(x / deepest), _up(math.log10(max(1.0, y)) / math.log10(most))

    parts = list(_axes(title, "calls below", "size of the summary"))
    for x in range(0, deepest + 1, max(1, deepest // 10)):
        parts.append(_text(place(x, 1)[0], _HEIGHT - _BELOW + 16, str(x)))
    for power in range(int(math.log10(most)) + 1):
        parts.append(_text(_LEFT - 8, place(0, 10**power)[1] + 4, f"{10**power:,}", "end"))
    for x, y in points:
        cx, cy = place(x, y)
        parts.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="2.5" fill="#3367a855"/>')
    line = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in medians.items())
    parts.append(f'<polyline points="{line}" fill="none" stroke="#c2571a" stroke-width="2"/>')
    return _svg(parts)


def bars(title: str, series: Mapping[str, Mapping[int, int]]) -> str:
    """For each size how many there are, on a logarithmic axis; one colour for each series."""
    sizes = sorted({size for counts in series.values() for size in counts})
    most = max([10, *(count for counts in series.values() for count in counts.values())])
    parts = list(_axes(title, "pointers in a class", "classes"))
    step = (_WIDTH - _LEFT - 20) / max(1, len(sizes))
    wide = 0.8 * step / max(1, len(series))
    for power in range(int(math.log10(most)) + 1):
        height = _up(math.log10(max(1, 10**power)) / math.log10(most))
        parts.append(_text(_LEFT - 8, height + 4, f"{10**power:,}", "end"))
    for column, size in enumerate(sizes):
        left = _LEFT + column * step
        parts.append(_text(left + 0.4 * step, _HEIGHT - _BELOW + 16, str(size)))
        for row, (name, counts) in enumerate(series.items()):
            count = counts.get(size, 0)
            if count:
                top = min(_up(math.log10(count) / math.log10(most)), _up(0.01))
                parts.append(
                    f'<rect x="{left + row * wide:.1f}" y="{top:.1f}" width="{wide:.1f}" '
                    f'height="{_up(0) - top:.1f}" fill="{_COLOURS[row % len(_COLOURS)]}">'
                    f"<title>{escape(name)}: {count} of {size}</title></rect>"
                )
    for row, name in enumerate(series):
        colour = _COLOURS[row % len(_COLOURS)]
        y = 40 + 18 * row
        parts.append(
            f'<rect x="{_WIDTH - 140}" y="{y - 10}" width="12" height="12" fill="{colour}"/>'
        )
        parts.append(_text(_WIDTH - 122, y, name, "start"))
    return _svg(parts)


def _across(part: float) -> float:
    return _LEFT + 10 + part * (_WIDTH - _LEFT - 30)


def _up(part: float) -> float:
    return _HEIGHT - _BELOW - part * (_HEIGHT - _BELOW - 40)


def _axes(title: str, x: str, y: str) -> Iterator[str]:
    yield _text(_WIDTH / 2, 20, title)
    yield _text(_WIDTH / 2, _HEIGHT - 10, x)
    yield f'<g transform="rotate(-90 14 {_HEIGHT / 2})">{_text(14, _HEIGHT / 2, y)}</g>'
    bottom = _HEIGHT - _BELOW
    yield f'<path d="M{_LEFT} 30V{bottom}H{_WIDTH - 10}" fill="none" stroke="#444"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    white = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([head, white, *parts, "</svg>", ""])
