"""A finished summary by itself: what only its analysis needed is left behind.

The guards of a procedure grow large on the way to its summary, which asks few of its atoms. So a
final summary gets a frame of its own, with just the atoms that it asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import final

from precis.domains.heap.classes import sizes
from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import FALSE, TRUE, Bracket
from precis.domains.heap.judge import Condition
from precis.domains.heap.names import is_region
from precis.domains.heap.sets import Values
from precis.domains.heap.spreads import Spread
from precis.domains.heap.state import State
from precis.domains.protocol import Outcome, Summary


def packed(summary: Summary[Condition, State]) -> Summary[Condition, State]:
    packs: dict[Frame, _Pack] = {}
    roots: dict[Frame, set[int]] = {}
    for outcome in summary.outcomes:
        asked = roots.setdefault(outcome.answer.frame, set())
        asked.update(guard for b in _brackets(outcome.answer) for guard in b)
    for need in summary.needs:
        asked = roots.setdefault(need.safe_if.frame, set())
        asked.update((need.safe_if.guard, need.safe_if.fails))
    for frame, asked in roots.items():
        asked.update(frame.overlaps.values())
        packs[frame] = _Pack(frame, asked)
    outcomes = tuple(
        Outcome(o.exit, packs[o.answer.frame].state(o.answer)) for o in summary.outcomes
    )
    needs = tuple(
        replace(need, safe_if=packs[need.safe_if.frame].condition(need.safe_if))
        for need in summary.needs
    )
    return replace(summary, outcomes=outcomes, needs=needs)


def _brackets(state: State) -> Iterator[Bracket]:
    yield from (state.reach, state.wild, state.loose)
    for values in _all_values(state):
        yield from values.values()
    for marks in state.written.values():
        yield from marks.values()
    yield from state.dead.values()
    yield from (b for block in state.blocks.values() for b in (block.made, block.vague))
    yield from (spread.when for spreads in state.spreads.values() for spread in spreads)


def _all_values(state: State) -> Iterator[Values]:
    yield from (values for values in state.variables if values is not None)
    yield from (values for cells in state.cells.values() for values in cells.values())
    yield from (s.content() for spreads in state.spreads.values() for s in spreads)


@final
class _Pack:
    """A frame with the atoms of some guards of another."""

    def __init__(self, old: Frame, roots: Iterable[int]) -> None:
        self._old = old
        self.frame = old.alone()
        self.frame.classes = tuple(sizes(old))
        self.frame.types.update((cell, t) for cell, t in old.types.items() if is_region(cell[0]))
        self._nodes: dict[int, int] = {FALSE: FALSE, TRUE: TRUE}
        self._known: dict[Bracket, Bracket] = {}
        theory = self.frame.theory
        for atom in sorted(old.theory.guards.atoms(roots)):
            theory.ask(old.theory.atoms[atom])
        for overlap, when in old.overlaps.items():
            self.frame.overlaps[overlap] = self.guard(when)

    def guard(self, node: int) -> int:
        found = self._nodes.get(node)
        if found is None:
            atom, low, high = self._old.theory.guards.split(node)
            theory = self.frame.theory
            test = theory.ask(self._old.theory.atoms[atom])
            found = theory.guards.ite(test, self.guard(high), self.guard(low))
            self._nodes[node] = found
        return found

    def bracket(self, b: Bracket) -> Bracket:
        found = self._known.get(b)
        if found is None:
            found = self._known[b] = Bracket(self.guard(b.may), self.guard(b.must))
        return found

    def condition(self, condition: Condition) -> Condition:
        return Condition(self.frame, self.guard(condition.guard), self.guard(condition.fails))

    def values(self, values: Values) -> Values:
        return {value: self.bracket(b) for value, b in values.items()}

    def state(self, state: State) -> State:
        found = replace(
            state, frame=self.frame,
            reach=self.bracket(state.reach), wild=self.bracket(state.wild),
            loose=self.bracket(state.loose),
            variables=tuple(None if v is None else self.values(v) for v in state.variables),
            cells={
                base: {extent: self.values(values) for extent, values in cells.items()}
                for base, cells in state.cells.items()
            },
            written={
                base: {extent: self.bracket(b) for extent, b in marks.items()}
                for base, marks in state.written.items()
            },
            dead={base: self.bracket(b) for base, b in state.dead.items()},
            blocks={
                base: replace(
                    block, made=self.bracket(block.made), vague=self.bracket(block.vague)
                )
                for base, block in state.blocks.items()
            },
            spreads={
                base: tuple(self._spread(spread) for spread in spreads)
                for base, spreads in state.spreads.items()
            },
        )  # fmt: skip
        for base, cells in found.cells.items():
            for extent in cells:
                type_ = self._old.types.get((base, *extent))
                if type_ is not None:
                    self.frame.types[base, *extent] = type_
        return found

    def _spread(self, spread: Spread) -> Spread:
        values = tuple(self.values(spread.content()).items())
        return replace(spread, values=values, when=self.bracket(spread.when))
