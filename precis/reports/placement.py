"""Where boxes stand: each column a stack, each box level with what it leads to.

Columns past the width of the paper begin a new band below, as words begin a new line. Within
a band the boxes form a forest, each box behind the first one that leads to it; subtrees are
pushed together until their outlines touch, and a box stands in the middle of its children of
the same type, so a list stays in a row whatever else its nodes point to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from precis.domains.picture import Box
from precis.reports.layers import Layers, Link
from precis.reports.metrics import Metrics, Size


@dataclass(slots=True)
class Spot:
    """Where a box stands: `y` is its upper edge, relative to its band at first."""

    column: int
    band: int
    y: int
    size: Size


@dataclass(slots=True)
class _Group:
    """Boxes that move together, with their outline: the extent in each column."""

    tops: dict[int, int] = field(default_factory=dict)
    low: dict[int, int] = field(default_factory=dict)
    high: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, column: int, y: int, height: int) -> None:
        self.tops[number] = y
        self.low[column] = min(self.low.get(column, y), y)
        self.high[column] = max(self.high.get(column, y + height), y + height)

    def room_for(self, other: _Group, gap: int) -> int | None:
        """How far down `other` must go to stand clear of this; None if anywhere will do."""
        shared = [c for c in other.low if c in self.high]
        return max((self.high[c] + gap - other.low[c] for c in shared), default=None)

    def take(self, other: _Group, shift: int) -> None:
        for number, y in other.tops.items():
            self.tops[number] = y + shift
        for column, y in other.low.items():
            bottom = other.high[column] + shift
            self.low[column] = min(self.low.get(column, y + shift), y + shift)
            self.high[column] = max(self.high.get(column, bottom), bottom)


def spots(
    boxes: Sequence[Box], layers: Layers, sizes: Sequence[Size], metrics: Metrics
) -> list[Spot]:
    across = metrics.columns
    placed = [
        Spot((c - 1) % across + 1 if c else 0, (c - 1) // across if c else 0, 0, size)
        for c, size in zip(layers.column, sizes, strict=True)
    ]
    children = _forest(boxes, layers, placed)
    for band in range(1 + max((spot.band for spot in placed), default=0)):
        members = [n for n, spot in enumerate(placed) if spot.band == band]
        members.sort(key=lambda n: layers.met[n])
        for number, y in _band(boxes, members, placed, children, metrics).tops.items():
            placed[number].y = y
    return placed


def _forest(
    boxes: Sequence[Box], layers: Layers, placed: Sequence[Spot]
) -> dict[int, list[tuple[int, int]]]:
    """For each box the boxes it holds in the forest, each with the row that leads there."""
    leads: dict[int, list[Link]] = defaultdict(list)
    for link in layers.forward:
        near = layers.column[link.source] + 1 == layers.column[link.target]
        if near and placed[link.source].band == placed[link.target].band:
            leads[link.target].append(link)
    children: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number in sorted(leads, key=lambda n: layers.met[n]):
        lead = min(
            leads[number],
            key=lambda k: (not _kin(boxes[k.source], boxes[number]), layers.met[k.source], k.row),
        )
        children[lead.source].append((lead.row, number))
    for held in children.values():
        held.sort(key=lambda pair: pair[0])
    return children


def _kin(one: Box, other: Box) -> bool:
    return one.kind is other.kind and one.title == other.title


def _band(
    boxes: Sequence[Box],
    members: Sequence[int],
    placed: Sequence[Spot],
    children: dict[int, list[tuple[int, int]]],
    metrics: Metrics,
) -> _Group:
    groups: dict[int, _Group] = {}
    held = {number for pairs in children.values() for _, number in pairs}
    for number in sorted(members, key=lambda n: -placed[n].column):
        if placed[number].column:
            groups[number] = _tree(boxes, number, placed, children, groups, metrics)
    band = _Group()
    floor = 0
    for number in members:
        if not placed[number].column:
            height = placed[number].size.height
            band.add(number, 0, floor, height)
            for row, child in children[number]:
                port = floor + metrics.row_y(row)
                wish = port - _entrance(child, placed, groups, metrics)
                _settle(band, groups[child], wish, metrics.gap)
            floor += height + metrics.frame_gap
        elif number not in held:
            _settle(band, groups[number], None, metrics.gap)
    return band


def _tree(
    boxes: Sequence[Box],
    number: int,
    placed: Sequence[Spot],
    children: dict[int, list[tuple[int, int]]],
    groups: dict[int, _Group],
    metrics: Metrics,
) -> _Group:
    group = _Group()
    held = [child for _, child in children[number]]
    for child in held:
        _settle(group, groups[child], None, metrics.gap)
    kin = [child for child in held if _kin(boxes[number], boxes[child])] or held
    height = placed[number].size.height
    if not kin:
        y = 0
    elif len(kin) == 1 and placed[kin[0]].size.height == height:
        y = group.tops[kin[0]]
    else:
        ends = [group.tops[child] + placed[child].size.height // 2 for child in (kin[0], kin[-1])]
        y = sum(ends) // 2 - height // 2
    group.add(number, placed[number].column, y, height)
    return group


def _entrance(
    number: int, placed: Sequence[Spot], groups: dict[int, _Group], metrics: Metrics
) -> int:
    """Where an arrow would best come in: the middle, or the title if that is all there is."""
    height = placed[number].size.height
    bare = height == metrics.title + metrics.foot
    return groups[number].tops[number] + (metrics.title_y if bare else height // 2)


def _settle(into: _Group, other: _Group, wish: int | None, gap: int) -> None:
    """Move `other` down as wished, or further if there is no room yet."""
    needed = into.room_for(other, gap)
    shift = max((s for s in (wish, needed) if s is not None), default=0)
    into.take(other, shift)
