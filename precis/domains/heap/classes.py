"""Which pointers have to be related, and the order in which a summary writes.

Two cells that are written in one order on every way need no relation: the summary writes them
in that order, and where they are one cell the later write wins. Only cells that are written in
both orders must be told apart by guards.
"""

from __future__ import annotations

from precis.domains.heap.frame import CellName, Frame, Pair, ordered
from precis.domains.heap.names import Kind


def missing(frame: Frame) -> tuple[Pair, ...]:
    """The pairs that mattered and that the frame does not relate yet."""
    found = dict(frame.notes.wanted)
    if not frame.is_root:
        for before, after in _cyclic(frame):
            pair = ordered(after[0], before[0], before[1] - after[1])
            if pair is None or frame.related(*pair):
                continue
            if not frame.is_refused(pair):
                found[pair] = None
    return tuple(found)


def _edges(frame: Frame) -> list[tuple[CellName, CellName]]:
    """Stores into cells that may be one: the first before the second."""
    found = []
    for before, after in frame.notes.order:
        if before[2] != after[2] or before[0].kind is after[0].kind is Kind.GLOBAL:
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


def sequence(frame: Frame) -> tuple[CellName, ...]:
    """All cells that were written, in an order that respects the edges."""
    cells: dict[CellName, None] = {}
    for before, after in frame.notes.order:
        cells[before] = None
        cells[after] = None
    for cell in sorted(frame.types, key=lambda c: (c[0].order, c[1], c[2])):
        cells.setdefault(cell)
    waiting: dict[CellName, int] = dict.fromkeys(cells, 0)
    following: dict[CellName, list[CellName]] = {}
    for before, after in _edges(frame):
        following.setdefault(before, []).append(after)
        waiting[after] += 1
    ready = [cell for cell in cells if not waiting[cell]]
    found: list[CellName] = []
    while ready:
        cell = ready.pop(0)
        found.append(cell)
        for after in following.get(cell, ()):
            waiting[after] -= 1
            if not waiting[after]:
                ready.append(after)
    rest = [cell for cell in cells if cell not in found]
    return (*found, *rest)
