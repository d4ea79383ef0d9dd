"""Picture -> places: where each box stands and how each arrow runs.

The same picture gives the same places always. Boxes never overlap; an arrow begins at the row
it leaves, ends on the edge of its target, and passes through no box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from precis.domains.picture import Arrow, Box, Picture
from precis.reports.layers import layers_of, links_of
from precis.reports.metrics import Metrics, Size, size
from precis.reports.placement import Spot, spots
from precis.reports.routes import Run, Side, Way, drop_bands, lanes, ways

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placed:
    """A box with its upper left corner."""

    box: Box
    x: int
    y: int
    size: Size


@dataclass(frozen=True, slots=True)
class Route:
    """The corners of an arrow, from the edge of its source to the edge of its target."""

    arrow: Arrow
    points: tuple[Point, ...]
    leaves: Side


@dataclass(frozen=True, slots=True)
class Layout:
    boxes: tuple[Placed, ...]
    routes: tuple[Route, ...]
    width: int
    height: int


def lay_out(picture: Picture, metrics: Metrics) -> Layout:
    links = links_of(picture)
    layers = layers_of(picture.boxes, links)
    sizes = [size(box, metrics) for box in picture.boxes]
    placed = spots(picture.boxes, layers, sizes, metrics)
    _even_frames(placed)
    found = lanes(links, placed, metrics)
    drop_bands(placed, found, metrics)
    courses = ways(links, found, placed, metrics)
    labels: dict[int, int] = defaultdict(int)  # the widest one behind a column
    for way in courses:
        column = placed[way.link.source].column
        text = picture.arrows[way.link.arrow].label
        labels[column] = max(labels[column], metrics.text(text) if text else 0)
    axis = _Axis(placed, courses, metrics, labels)
    routes = [Route(picture.arrows[way.link.arrow], axis.points(way), way.exit) for way in courses]
    boxes = [
        Placed(box, axis.left[spot.column], spot.y, spot.size)
        for box, spot in zip(picture.boxes, placed, strict=True)
    ]
    return _at_origin(boxes, routes, metrics.border)


def _even_frames(placed: Sequence[Spot]) -> None:
    """Frames are as wide as the widest of them."""
    first = [spot for spot in placed if spot.column == 0]
    width = max((spot.size.width for spot in first), default=0)
    for spot in first:
        spot.size = replace(spot.size, width=width)


class _Axis:
    """The x axis: columns, and between them channels as wide as their lines need."""

    def __init__(
        self, placed: Sequence[Spot], courses: Sequence[Way], metrics: Metrics,
        labels: Mapping[int, int],
    ) -> None:  # fmt: skip
        self.placed, self.metrics = placed, metrics
        widths: dict[int, int] = defaultdict(int)
        tracks: dict[int, int] = defaultdict(int)
        for spot in placed:
            widths[spot.column] = max(widths[spot.column], spot.size.width)
        for way in courses:
            for run in way.runs:
                tracks[run.channel] = max(tracks[run.channel], run.track + 1)
        self.left: dict[int, int] = {}
        self.channel: dict[int, int] = {}
        x = 0
        for column in range(1 + max(widths, default=0)):
            self.left[column] = x
            x += widths[column]
            self.channel[column] = x - metrics.border
            lines = tracks[column]
            if not widths[column] and not lines:
                continue
            needed = 2 * metrics.shoulder + (lines - 1) * metrics.track if lines else 0
            x += max(metrics.channel, needed + labels.get(column, 0))

    def points(self, way: Way) -> tuple[Point, ...]:
        """Corners from source to target, without those on a straight line."""
        corners = [(self._edge(way.link.source, way.exit), way.start)]
        for run in way.runs:
            x = self._track(run)
            corners += [(x, run.start), (x, run.end)]
        if way.entry is None:
            x = self._slot(way)
            corners += [(x, corners[-1][1]), (x, way.end)]
        else:
            corners.append((self._edge(way.link.target, way.entry), way.end))
        return _simplified(corners)

    def _edge(self, number: int, side: Side) -> int:
        spot = self.placed[number]
        left = self.left[spot.column]
        return left if side is Side.LEFT else left + spot.size.width - self.metrics.border

    def _track(self, run: Run) -> int:
        return self.channel[run.channel] + self.metrics.shoulder + run.track * self.metrics.track

    def _slot(self, way: Way) -> int:
        """The middle of the edge, then right and left of it by turns."""
        spot = self.placed[way.link.target]
        width = spot.size.width - self.metrics.border
        step = (way.slot + 1) // 2 * self.metrics.track * (1 if way.slot % 2 else -1)
        margin = min(self.metrics.track, width // 2)
        return self.left[spot.column] + min(max(width // 2 + step, margin), width - margin)


def _simplified(corners: Sequence[Point]) -> tuple[Point, ...]:
    kept: list[Point] = []
    for corner in corners:
        if kept and kept[-1] == corner:
            continue
        if len(kept) > 1 and (
            kept[-2][0] == kept[-1][0] == corner[0] or kept[-2][1] == kept[-1][1] == corner[1]
        ):
            kept.pop()
        kept.append(corner)
    return tuple(kept)


def _at_origin(boxes: Sequence[Placed], routes: Sequence[Route], border: int) -> Layout:
    xs = [p.x for p in boxes] + [x for r in routes for x, _ in r.points]
    ys = [p.y for p in boxes] + [y for r in routes for _, y in r.points]
    dx, dy = -min(xs, default=0), -min(ys, default=0)
    moved = tuple(replace(p, x=p.x + dx, y=p.y + dy) for p in boxes)
    turned = tuple(replace(r, points=tuple((x + dx, y + dy) for x, y in r.points)) for r in routes)
    right = [p.x + p.size.width for p in moved] + [x + border for r in turned for x, _ in r.points]
    bottom = [p.y + p.size.height for p in moved] + [
        y + border for r in turned for _, y in r.points
    ]
    return Layout(moved, turned, max(right, default=0), max(bottom, default=0))
