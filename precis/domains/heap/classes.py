"""Which pointers have to be related, and the order in which a summary writes.

Two cells that are written in one order on every way need no relation: the summary writes them
in that order, and where they are one cell the later write wins. Only cells that are written in
both orders must be told apart by guards. Cells that overlap in part are never told apart: where
no order is right for them, a summary holds only for callers with which they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from precis.domains.heap.frame import CellName, Classes, Frame, Pair, ordered
from precis.domains.heap.names import Kind, Name
from precis.ir.types import Pointer, Type

MOST_OF_A_TYPE: Final = 6  # pointers of one type that are all related
CUT_CLASS: Final = "class of "  # and how many it has: how a cut is told


def missing(frame: Frame, kind: Classes = Classes.ORDER) -> tuple[Pair, ...]:
    """The pairs that mattered, or that have one type, and that the frame does not relate yet."""
    found = dict(frame.notes.wanted)
    if not frame.is_root:
        for before, after in _cyclic(frame):
            pair = frame.unsettled(after, before, frame.notes.order[before, after])
            if pair is not None:
                found[pair] = None
        if kind is Classes.TYPE:
            for pair in _of_one_type(frame, tuple(found)):
                found[pair] = None
    return tuple(found)


def _of_one_type(frame: Frame, wanted: tuple[Pair, ...]) -> Iterator[Pair]:
    """Pairs of pointers of one type. A class that guards could not tell apart is left to what
    matters of it: that is sound, and told."""
    members: dict[Type, list[Name]] = {}
    for symbol in frame.unknowns():
        type_ = frame.given_type(symbol)
        if isinstance(type_, Pointer):
            members.setdefault(type_, []).append(symbol)
    known = frame.relation.grown(wanted)
    for names in members.values():
        pairs = [p for y, x in combinations(sorted(names), 2) if (p := ordered(y, x, 0))]
        if set(pairs) <= set(known.pairs):
            continue
        grown = known.grown(tuple(pairs))
        too_many = len(names) > MOST_OF_A_TYPE or grown.separate
        if too_many or grown.cut != known.cut:
            frame.theory.cuts[f"{CUT_CLASS}{len(names)}"] = 1
            continue
        known = grown
        yield from (pair for pair in pairs if not frame.related(*pair))


def sizes(frame: Frame) -> list[int]:
    """How many pointers that callers provide each class has, the largest first."""
    if frame.classes is not None:
        return list(frame.classes)
    partners: dict[Name, list[Name]] = {
        symbol: [] for symbol in frame.unknowns() if isinstance(frame.given_type(symbol), Pointer)
    }
    for y, x, _ in frame.relation.pairs:
        partners.setdefault(y, []).append(x)
        partners.setdefault(x, []).append(y)
    found: list[int] = []
    seen: set[Name] = set()
    for start in partners:
        count, work = 0, [start]
        while work:
            symbol = work.pop()
            if symbol not in seen:
                seen.add(symbol)
                count += symbol.kind is not Kind.GLOBAL
                work += partners[symbol]
        found += [count] if count else []
    return sorted(found, reverse=True)


def _edges(frame: Frame) -> list[tuple[CellName, CellName]]:
    """Stores into cells that may be one: the first before the second."""
    found = []
    for before, after in frame.notes.order:
        if not frame.may_be_one(before, after) or before[0].kind is after[0].kind is Kind.GLOBAL:
            continue
        if not frame.related(after[0], before[0], before[1] - after[1]):
            found.append((before, after))
    return found


def _cyclic(frame: Frame) -> list[tuple[CellName, CellName]]:
    """The edges that lie on a cycle."""
    edges = _edges(frame)
    following: dict[CellName, list[CellName]] = {}
    for before, after in edges:
        following.setdefault(before, []).append(after)
    return [edge for edge in edges if _leads(following, edge[1], edge[0])]


def _leads(following: dict[CellName, list[CellName]], start: CellName, goal: CellName) -> bool:
    seen, work = {start}, [start]
    while work:
        cell = work.pop()
        if cell == goal:
            return True
        for after in following.get(cell, ()):
            if after not in seen:
                seen.add(after)
                work.append(after)
    return False


def set_sequence(frame: Frame) -> None:
    """Let the frame know in which order the summary writes."""
    frame.sequence = sequence(frame)
    note_turned(frame)


def sequence(frame: Frame) -> tuple[CellName, ...]:
    """All cells that were written, in the order of the edges, and of all stores if there is one."""
    cells: dict[CellName, None] = {}
    for before, after in frame.notes.order:
        cells[before] = None
        cells[after] = None
    for cell in sorted(frame.notes.written, key=lambda c: (c[0].order, c[1], c[2])):
        cells.setdefault(cell)
    edges, stores = _Arrows(_edges(frame)), _Arrows(list(frame.notes.order))
    waiting = dict(cells)
    found: list[CellName] = []
    while waiting:
        free = next((cell for cell in waiting if not stores.waits(cell)), None)
        if free is None:
            free = next((cell for cell in waiting if not edges.waits(cell)), next(iter(waiting)))
        del waiting[free]
        edges.remove(free)
        stores.remove(free)
        found.append(free)
    return tuple(found)


class _Arrows:
    """Which cells come before which."""

    def __init__(self, pairs: list[tuple[CellName, CellName]]) -> None:
        self._before: dict[CellName, dict[CellName, None]] = {}
        self._after: dict[CellName, list[CellName]] = {}
        for before, after in pairs:
            self._before.setdefault(after, {})[before] = None
            self._after.setdefault(before, []).append(after)

    def waits(self, cell: CellName) -> bool:
        return bool(self._before.get(cell))

    def remove(self, cell: CellName) -> None:
        for after in self._after.get(cell, ()):
            self._before[after].pop(cell, None)


def note_turned(frame: Frame) -> None:
    """Cells that overlap without being one must not be written in another order than the body's:
    where the summary has another one, it is taken for granted that they do not."""
    place = {cell: number for number, cell in enumerate(frame.sequence)}
    for (before, after), when in frame.notes.order.items():
        if place[after] < place[before]:
            frame.apart_in_part(after, before, when)
