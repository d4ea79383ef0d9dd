"""How large a summary is: for comparing ways to compute it, not for users."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from precis.domains.heap.classes import sizes
from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import TRUE, Bracket
from precis.domains.heap.judge import Condition
from precis.domains.heap.names import UNDEFINED
from precis.domains.heap.state import State
from precis.domains.protocol import Summary


def measured(summary: Summary[Condition, State]) -> dict[str, Any]:
    """Plain data:

    edges          values of cells, of the result and at unknown offsets
    guards         nodes of their conditions, each edge by itself and at least 1
    writes         nodes of the conditions under which cells are written
    precondition   nodes of what callers must establish
    size           the sum of these three
    atoms          what all these conditions ask
    classes        how many pointers given by callers are related, for each class, alone ones too
    cuts           what there was no room for, and how often
    """
    states = [outcome.answer for outcome in summary.outcomes]
    edges = [(state.frame, b) for state in states for b in _edges(state)]
    marks = [(state.frame, b) for state in states for b in _marks(state)]
    needs = [(need.safe_if.frame, need.safe_if.guard) for need in summary.needs]
    guards = sum(max(1, _nodes(frame, b)) for frame, b in edges)
    writes = sum(_nodes(frame, b) for frame, b in marks)
    precondition = sum(frame.theory.guards.size([guard]) for frame, guard in needs)
    frame = states[0].frame if states else None
    every = [(frame, guard) for frame, b in (*edges, *marks) for guard in b] + needs
    return {
        "edges": len(edges), "guards": guards, "writes": writes, "precondition": precondition,
        "size": guards + writes + precondition, "atoms": len(_atoms(every)),
        "classes": [] if frame is None else sizes(frame),
        "cuts": {} if frame is None else _cuts(frame),
    }  # fmt: skip


def _edges(state: State) -> Iterator[Bracket]:
    for cells in state.cells.values():
        for values in cells.values():
            yield from values.values()
    for spreads in state.spreads.values():
        for spread in spreads:
            yield from spread.content().values()
    for value, b in ((state.variables[0] if state.variables else None) or {}).items():
        if value.base is not UNDEFINED:
            yield b


def _marks(state: State) -> Iterator[Bracket]:
    for marks in state.written.values():
        yield from marks.values()
    for spreads in state.spreads.values():
        yield from (spread.when for spread in spreads)


def _nodes(frame: Frame, b: Bracket) -> int:
    size = frame.theory.guards.size
    return size([b.may]) + (size([b.must]) if b.must != b.may else 0)


def _atoms(guards: list[tuple[Frame, int]]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for frame, guard in guards:
        if guard > TRUE:
            found.update((id(frame), atom) for atom in frame.theory.guards.support(guard))
    return found


def _cuts(frame: Frame) -> dict[str, int]:
    relation = frame.relation
    more = {"pairs": len(relation.cut), "apart": int(relation.separate)}
    more["coarser"] = relation.coarser if relation.is_coarse else 0
    found = {**frame.theory.cuts, **{what: count for what, count in more.items() if count}}
    return dict(sorted(found.items()))
