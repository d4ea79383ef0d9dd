"""How arrows run: never through a box.

Between two columns lies a channel, above and below the boxes of a band lie lanes. An arrow to
a neighbouring column crosses their channel, with one bend up or down if need be. Any other
goes up or down in the channel at its source, along a lane, and into its target by the nearest
edge, or through the channel beside it. A lane lies as near to the boxes it passes as those
before it leave room, and vertical lines of a channel are ordered to cross as little as may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from precis.reports.layers import Link
from precis.reports.metrics import Metrics
from precis.reports.placement import Spot

_MOVES = 600  # of lines of a channel, to find a better order


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"


class Edge(Enum):
    """Which edge of a band a lane lies at."""

    TOP = "top"
    BOTTOM = "bottom"


@dataclass(slots=True)
class Run:
    """A vertical line in a channel: from a horizontal one on `side` at `start`, to another."""

    channel: int
    start: int
    start_side: Side
    end: int
    end_side: Side
    track: int = 0

    @property
    def low(self) -> int:
        return min(self.start, self.end)

    @property
    def high(self) -> int:
        return max(self.start, self.end)

    def levels(self, side: Side) -> list[int]:
        ends = ((self.start, self.start_side), (self.end, self.end_side))
        return [y for y, s in ends if s is side]


@dataclass(slots=True)
class Lane:
    """A horizontal line of a link between channels; `y` is relative to its band at first."""

    link: Link
    exit: Side
    leave: int  # the channel it comes from
    enter: int | None  # the channel it goes to, None: straight into the box from above or below
    band: int
    edge: Edge
    y: int


@dataclass(slots=True)
class Way:
    """The course of a link, before channels and columns have a place on the x axis."""

    link: Link
    exit: Side
    start: int
    end: int
    entry: Side | None  # None: from above or below
    runs: list[Run] = field(default_factory=list)
    slot: int = 0  # which of the places on the upper or lower edge


def lanes(links: Iterable[Link], placed: Sequence[Spot], metrics: Metrics) -> list[Lane]:
    """Lanes for all links that are not between neighbours, short ones next to the boxes."""
    far = [k for k in links if abs(placed[k.target].column - placed[k.source].column) > 1]
    edges = _Skyline(placed, metrics)
    found = []
    for link in sorted(far, key=lambda k: (_reach(k, placed), k.source, k.row, k.arrow)):
        source, target = placed[link.source], placed[link.target]
        exit_ = Side.LEFT if target.column == 0 else Side.RIGHT
        leave = source.column - (exit_ is Side.LEFT)
        choices = (
            [(source.band, Edge.BOTTOM), (source.band, Edge.TOP)]
            if source.band == target.band
            else [(target.band - 1 if target.band > source.band else target.band, Edge.BOTTOM)]
        )
        found.append(
            min(
                (edges.lane(link, exit_, leave, band, edge) for band, edge in choices),
                key=lambda lane: edges.length(lane),
            )
        )
        edges.claim(found[-1])
    return found


def _reach(link: Link, placed: Sequence[Spot]) -> tuple[bool, int]:
    source, target = placed[link.source], placed[link.target]
    return (source.band != target.band, abs(source.column - target.column))


class _Skyline:
    """How far boxes and lanes reach up and down in each column of each band."""

    def __init__(self, placed: Sequence[Spot], metrics: Metrics) -> None:
        self.placed, self.metrics = placed, metrics
        self.top: dict[tuple[int, int], int] = {}
        self.bottom: dict[tuple[int, int], int] = {}
        self.lanes: set[tuple[int, int, Edge]] = set()
        for spot in placed:
            at = (spot.band, spot.column)
            low, high = spot.y, spot.y + spot.size.height - metrics.border
            self.top[at] = min(self.top.get(at, low), low)
            self.bottom[at] = max(self.bottom.get(at, high), high)
        self.box_top, self.box_bottom = dict(self.top), dict(self.bottom)

    def lane(self, link: Link, exit_: Side, leave: int, band: int, edge: Edge) -> Lane:
        enter = None if self._open(link, band, edge) else self._channel(link)
        lane = Lane(link, exit_, leave, enter, band, edge, 0)
        levels = [
            self._next(band, column, edge)
            for column in self._columns(lane)
            if (band, column) in self.top
        ]
        lane.y = (min if edge is Edge.TOP else max)(levels, default=0)
        source = self.placed[link.source]
        start = source.y + self.metrics.row_y(link.row)
        further = lane.y - start if edge is Edge.TOP else start - lane.y
        if source.band == band and 0 <= further <= 2 * self.metrics.lane:
            lane.y = start  # no jog where the row leads straight into the lane
        return lane

    def _next(self, band: int, column: int, edge: Edge) -> int:
        step = self.metrics.first_lane
        if (band, column, edge) in self.lanes:
            step = self.metrics.lane
        if edge is Edge.TOP:
            return self.top[band, column] - step
        return self.bottom[band, column] + step

    def _open(self, link: Link, band: int, edge: Edge) -> bool:
        """Can the target be entered from the lane, with no other box between?"""
        spot = self.placed[link.target]
        if link.target_row is not None or spot.column == 0:
            return False
        at = (spot.band, spot.column)
        if spot.band == band and edge is Edge.BOTTOM:
            return self.box_bottom[at] == spot.y + spot.size.height - self.metrics.border
        return self.box_top[at] == spot.y

    def _channel(self, link: Link) -> int:
        return max(self.placed[link.target].column - 1, 0)

    def _columns(self, lane: Lane) -> range:
        """The columns the lane passes, above or below all their boxes."""
        if lane.enter is None:
            target = self.placed[lane.link.target].column
            low, high = min(lane.leave + 1, target), max(lane.leave, target)
        else:
            low, high = min(lane.leave, lane.enter) + 1, max(lane.leave, lane.enter)
        return range(low, high + 1)

    def length(self, lane: Lane) -> int:
        source, target = self.placed[lane.link.source], self.placed[lane.link.target]
        start = source.y + self.metrics.row_y(lane.link.row)
        end = target.y if lane.edge is Edge.TOP else target.y + target.size.height
        detour = 0 if lane.enter is None else 4 * self.metrics.row
        return abs(start - lane.y) + abs(end - lane.y) + detour

    def claim(self, lane: Lane) -> None:
        skyline = self.top if lane.edge is Edge.TOP else self.bottom
        for column in self._columns(lane):
            skyline[lane.band, column] = lane.y
            self.lanes.add((lane.band, column, lane.edge))


def drop_bands(placed: Sequence[Spot], found: Sequence[Lane], metrics: Metrics) -> None:
    """Put each band below the one before it; from here on every y is final."""
    extent: dict[int, list[int]] = defaultdict(list)
    for spot in placed:
        if spot.column or not spot.band:
            extent[spot.band] += [spot.y, spot.y + spot.size.height]
    for lane in found:
        extent[lane.band].append(lane.y)
    floor: int | None = None
    shifts: dict[int, int] = {}
    for band in sorted(extent):
        shifts[band] = 0 if floor is None else floor + metrics.band_gap - min(extent[band])
        floor = max(extent[band]) + shifts[band]
    for spot in placed:
        spot.y += shifts[spot.band]
    for lane in found:
        lane.y += shifts[lane.band]


def ways(
    links: Sequence[Link], found: Sequence[Lane], placed: Sequence[Spot], metrics: Metrics
) -> list[Way]:
    """The course of every link, in the order of the links."""
    courses = _Courses(links, found, placed, metrics)
    order = sorted(
        links, key=lambda k: (k.target_row is None, not courses.could_be_straight(k), k.arrow)
    )
    done = {link.arrow: courses.way(link) for link in order}
    _order_runs([run for way in done.values() for run in way.runs], metrics)
    return [done[link.arrow] for link in links]


class _Courses:
    """Hands out the places at which arrows leave and enter boxes."""

    def __init__(
        self,
        links: Sequence[Link],
        found: Sequence[Lane],
        placed: Sequence[Spot],
        metrics: Metrics,
    ) -> None:
        self.placed, self.metrics = placed, metrics
        self.lane = {lane.link.arrow: lane for lane in found}
        self.slots: dict[int, int] = defaultdict(int)
        self.open_rows = {link.target for link in links if link.target_row is not None}
        self.left = {(k.source, self.exit_side(k), self.exit_y(k)) for k in links}
        self.used = set(self.left)

    def exit_side(self, link: Link) -> Side:
        if link.arrow in self.lane:
            return self.lane[link.arrow].exit
        ahead = self.placed[link.source].column > self.placed[link.target].column
        return Side.LEFT if ahead else Side.RIGHT

    def entry_side(self, link: Link) -> Side:
        if link.arrow in self.lane:
            return Side.LEFT if self.placed[link.target].column else Side.RIGHT
        behind = self.placed[link.source].column < self.placed[link.target].column
        return Side.LEFT if behind else Side.RIGHT

    def exit_y(self, link: Link) -> int:
        return self.placed[link.source].y + self.metrics.row_y(link.row)

    def way(self, link: Link) -> Way:
        lane = self.lane.get(link.arrow)
        start, exit_ = self.exit_y(link), self.exit_side(link)
        if lane is None:
            end = self._entry(link, start)
            way = Way(link, exit_, start, end, self.entry_side(link))
            if start != end:
                columns = (self.placed[link.source].column, self.placed[link.target].column)
                # A channel sees an arrow that leaves a box to the right come from its left.
                run = Run(min(columns), start, _facing(exit_), end, _facing(self.entry_side(link)))
                way.runs.append(run)
            return way
        return self._by_lane(link, lane, start, exit_)

    def _by_lane(self, link: Link, lane: Lane, start: int, exit_: Side) -> Way:
        target = self.placed[link.target]
        goal = lane.leave < target.column
        onward, arriving = (Side.RIGHT, Side.LEFT) if goal else (Side.LEFT, Side.RIGHT)
        runs = [Run(lane.leave, start, _facing(exit_), lane.y, onward)]
        if lane.enter is None:
            from_above = lane.y < target.y
            end = target.y if from_above else target.y + target.size.height - self.metrics.border
            self.slots[target.column] += 1
            return Way(link, exit_, start, end, None, runs, self.slots[target.column] - 1)
        end = self._entry(link, lane.y)
        entry = self.entry_side(link)
        runs.append(Run(lane.enter, lane.y, arriving, end, _facing(entry)))
        return Way(link, exit_, start, end, entry, runs)

    def could_be_straight(self, link: Link) -> bool:
        if link.arrow in self.lane or link.source == link.target:
            return False
        if self.exit_side(link) is self.entry_side(link) or link.target in self.open_rows:
            return False
        y, target = self.exit_y(link), self.placed[link.target]
        last = target.y + target.size.height - self.metrics.foot
        return target.y + self.metrics.title_y <= y < last

    def _entry(self, link: Link, coming_from: int) -> int:
        """Where on the side of its target an arrow ends."""
        target, side = self.placed[link.target], self.entry_side(link)
        if link.target_row is not None:
            y = target.y + self.metrics.row_y(link.target_row)
            if (link.target, side, y) in self.left:
                own = link.source == link.target and y == self.exit_y(link)
                y += max(self.metrics.beside, 1) if own else self.metrics.beside
        else:
            y = self._free_entry(link, coming_from)
        self.used.add((link.target, side, y))
        return y

    def _free_entry(self, link: Link, coming_from: int) -> int:
        """A place that does not look like a row, if arrows end at rows of this box."""
        target, side, metrics = self.placed[link.target], self.entry_side(link), self.metrics
        if self.could_be_straight(link) and not self._taken(link.target, side, coming_from):
            return coming_from
        title = target.y + metrics.title_y
        if link.target in self.open_rows or link.source == link.target:
            return title
        rows = (target.size.height - metrics.title - metrics.foot) // metrics.row
        places = [title, *(target.y + metrics.row_y(row) for row in range(rows))]
        if coming_from > title:
            places.reverse()
        return next((y for y in places if not self._taken(link.target, side, y)), title)

    def _taken(self, number: int, side: Side, y: int) -> bool:
        near = max(self.metrics.row // 3, 1)
        return any(n == number and s is side and abs(u - y) < near for n, s, u in self.used)


def _facing(side: Side) -> Side:
    """The side of a channel that the given side of a box lies on."""
    return Side.LEFT if side is Side.RIGHT else Side.RIGHT


def _order_runs(runs: Sequence[Run], metrics: Metrics) -> None:
    """Give each vertical line its track in its channel."""
    channels: dict[int, list[Run]] = defaultdict(list)
    for run in runs:
        channels[run.channel].append(run)
    for inside in channels.values():
        _tracks(_least_crossing(inside), metrics)


def _least_crossing(inside: Sequence[Run]) -> list[Run]:
    """An order from left to right that no single line could leave for a better place."""
    runs = sorted(inside, key=lambda run: (run.high - run.low, run.low))
    price = [[_price(one, other) for other in runs] for one in runs]
    order = list(range(len(runs)))
    for _ in range(_MOVES // max(len(runs), 1) + 1):
        before = list(order)
        for run in range(len(runs)):
            order.remove(run)
            costs = [sum(price[run][other] for other in order)]
            for other in order:
                costs.append(costs[-1] - price[run][other] + price[other][run])
            order.insert(costs.index(min(costs)), run)
        if order == before:
            break
    return [runs[number] for number in order]


def _tracks(inside: Sequence[Run], metrics: Metrics) -> None:
    for i, run in enumerate(inside):
        near = max(metrics.row // 2, 1)
        before = [
            other.track + 1
            for other in inside[:i]
            if other.low - near <= run.high and run.low - near <= other.high
        ]
        run.track = max(before, default=0)


def _price(left: Run, right: Run) -> int:
    """What it costs to have `left` stand left of `right`: a crossing 1, an overlap more."""
    rightward, leftward = left.levels(Side.RIGHT), right.levels(Side.LEFT)
    crossings = sum(right.low < y < right.high for y in rightward)
    crossings += sum(left.low < y < left.high for y in leftward)
    return crossings + 50 * sum(y in leftward for y in rightward)
