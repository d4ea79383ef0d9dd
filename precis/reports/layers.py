"""Which column a box stands in: frames and globals in the first, the rest by distance.

A list runs to the right, a tree grows to the right. So a box stands one column behind the last
box that leads to it, where an arrow that closes a cycle leads nowhere. Of the two directions
of a doubly linked structure one must count as the way back: it is the one that points into the
middle of a box, else the field by which many boxes point to one (a tree's `parent`), else the
one declared later (a list's `prev`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from precis.domains.picture import Box, BoxKind, Picture

FIRST_COLUMN = (BoxKind.FRAME, BoxKind.GLOBAL)


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow of the picture by the numbers of its boxes and rows."""

    arrow: int
    source: int
    row: int
    target: int
    target_row: int | None  # None: the box as a whole


@dataclass(frozen=True, slots=True)
class Layers:
    """`column` of each box, the links that lead forward, and the order boxes are met in."""

    column: tuple[int, ...]
    forward: tuple[Link, ...]
    met: tuple[int, ...]  # position of each box in the order of discovery


def links_of(picture: Picture) -> tuple[Link, ...]:
    """The arrows whose ends are in the picture."""
    numbers = {box.key: number for number, box in enumerate(picture.boxes)}
    rows = [
        {row.port: index for index, row in enumerate(box.rows) if row.port} for box in picture.boxes
    ]
    links = []
    for index, arrow in enumerate(picture.arrows):
        source, target = numbers.get(arrow.source.box), numbers.get(arrow.target.box)
        if source is None or target is None:
            continue
        row = rows[source].get(arrow.source.port)
        if row is not None:
            end = rows[target].get(arrow.target.port) if arrow.target.port else None
            links.append(Link(index, source, row, target, end))
    return tuple(links)


def layers_of(boxes: Sequence[Box], links: Sequence[Link]) -> Layers:
    anchored = [box.kind in FIRST_COLUMN for box in boxes]
    way_back = _ways_back(boxes, [k for k in links if not anchored[k.source]])
    leading = [
        link
        for link in sorted(links, key=lambda k: (k.source, k.row, k.arrow))
        if not anchored[link.target] and link.source != link.target and link not in way_back
    ]
    order, forward = _without_cycles(boxes, anchored, leading)
    column = [0 if anchored[number] else 1 for number in range(len(boxes))]
    after: dict[int, list[int]] = defaultdict(list)
    for link in forward:
        after[link.source].append(link.target)
    for number in order:
        for target in after[number]:
            column[target] = max(column[target], column[number] + 1)
    met = [0] * len(boxes)
    for position, number in enumerate(_discovery(boxes, anchored, forward)):
        met[number] = position
    return Layers(tuple(column), tuple(forward), tuple(met))


def _ways_back(boxes: Sequence[Box], links: Sequence[Link]) -> frozenset[Link]:
    """Of each pair of links in opposite directions, the one that is the way back."""
    into: Counter[tuple[str, int]] = Counter()
    crowd: dict[str, int] = defaultdict(int)
    pairs: dict[tuple[int, int], list[Link]] = defaultdict(list)
    for link in links:
        label = boxes[link.source].rows[link.row].label
        into[label, link.target] += 1
        crowd[label] = max(crowd[label], into[label, link.target])
        pairs[link.source, link.target].append(link)

    def weight(link: Link) -> tuple[bool, int, int]:
        label = boxes[link.source].rows[link.row].label
        return (link.target_row is not None, crowd[label], link.row)

    return frozenset(
        link
        for link in links
        if link.source != link.target
        and any(weight(other) < weight(link) for other in pairs[link.target, link.source])
    )


def _starts(boxes: Sequence[Box], anchored: Sequence[bool], links: Sequence[Link]) -> list[int]:
    """Where a walk over all boxes begins, best first: frames, then what nothing points to."""
    pointed_to = {link.target for link in links}
    return sorted(range(len(boxes)), key=lambda n: (not anchored[n], n in pointed_to, n))


def _without_cycles(
    boxes: Sequence[Box], anchored: Sequence[bool], links: Sequence[Link]
) -> tuple[list[int], list[Link]]:
    """The links left after a walk dropped those that close a cycle, and an order they obey."""
    leaving: dict[int, list[Link]] = defaultdict(list)
    for link in links:
        leaving[link.source].append(link)
    finished: list[int] = []
    kept: list[Link] = []
    open_, seen = set[int](), set[int]()
    for start in _starts(boxes, anchored, links):
        if start in seen:
            continue
        stack: list[tuple[int, Iterator[Link]]] = [(start, iter(leaving[start]))]
        seen.add(start)
        open_.add(start)
        while stack:
            number, rest = stack[-1]
            for link in rest:
                if link.target not in open_:
                    kept.append(link)
                    if link.target not in seen:
                        seen.add(link.target)
                        open_.add(link.target)
                        stack.append((link.target, iter(leaving[link.target])))
                        break
            else:
                stack.pop()
                open_.discard(number)
                finished.append(number)
    return finished[::-1], kept


def _discovery(
    boxes: Sequence[Box], anchored: Sequence[bool], links: Sequence[Link]
) -> Iterator[int]:
    """All boxes, depth first, each box before those behind it."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for link in links:
        leaving[link.source].append(link.target)
    seen: set[int] = set()
    for start in _starts(boxes, anchored, links):
        stack = [start]
        while stack:
            number = stack.pop()
            if number not in seen:
                seen.add(number)
                yield number
                stack.extend(reversed(leaving[number]))
