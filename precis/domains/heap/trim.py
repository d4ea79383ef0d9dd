"""States with less in them: without what matters least, and without what nothing leads to."""

from __future__ import annotations

from typing import Any, Final

from precis.domains.heap.blocks import without
from precis.domains.heap.forget import (
    atom_weights,
    choices_of_one_cell,
    forget,
    forget_atoms,
    inner_counts,
    inner_of,
)
from precis.domains.heap.frame import Calls
from precis.domains.heap.hidden import without_hidden
from precis.domains.heap.lengths import told_by_lengths
from precis.domains.heap.names import TOP, Kind, Name
from precis.domains.heap.state import State
from precis.domains.heap.theory import Atom
from precis.ir.instr import BlockKind

MOST_EXPORTED: Final = 6
MOST_INNER: Final = (32, 20)  # choices and numbers inside, and those that stay if there are more
# Atoms in the conditions of a state, and those that stay if there are more; where bodies are
# inlined, and by summaries, which ask of callers, too.
MOST_ASKED: Final = (24, 16)
MOST_OF_CALLERS: Final = ((100, 80), (40, 28), (20, 12), (10, 6), (6, 3))  # the coarser the fewer
RECENT: Final = 6  # atoms that are kept if it can be: they are still to be used


def exported(state: State) -> State:
    """Without the choices and numbers inside that callers cannot tell apart: those of calls in
    calls of themselves, and all but a few that most conditions ask."""
    state = told_by_lengths(state)
    gone = [inner for inner in inner_counts(state) if _is_recursive(inner)]
    state = without_hidden(forget(state, gone, cares=False) if gone else state)
    return _without(state, inner_counts(state), [], MOST_EXPORTED)


def trimmed(state: State) -> State:
    """The same state if few things are kept apart; else without those that matter least."""
    if state.frame.calls is not Calls.INLINE and len(inner_of(state)) > MOST_INNER[0]:
        state = _with_few_choices(state)
    return simplified(state)


def _with_few_choices(state: State) -> State:
    gone = choices_of_one_cell(state)
    if gone:
        state = forget(state, gone, cares=False)
        if len(inner_of(state)) <= MOST_INNER[0]:
            return state
    state.frame.theory.cut("choices")
    return _without(state, inner_counts(state), [], MOST_INNER[1])


def is_large(state: State) -> bool:
    """Do its conditions ask more than they may?"""
    return len(state.frame.theory.guards.support(state.reach.may)) > _limits(state)[0]


def _limits(state: State) -> tuple[int, int]:
    frame = state.frame
    return MOST_ASKED if frame.calls is Calls.INLINE else MOST_OF_CALLERS[frame.relation.coarser]


def simplified(state: State) -> State:
    """With fewer atoms in the conditions, if there are too many."""
    most, fewer = _limits(state)
    weights = atom_weights(state)
    if len(weights) <= most:
        return state
    theory = state.frame.theory
    for atom in theory.guards.certain(state.reach.may, weights):  # that costs nothing
        del weights[atom]
    if len(weights) <= most:
        return state
    theory.cut("conditions")
    return _with_atoms(state, weights, fewer)


def lessened(state: State, most: int) -> State:
    """The state at an exit with so many atoms in its conditions, for one call."""
    weights = atom_weights(state)
    return state if len(weights) <= most else _with_atoms(state, weights, most)


def _with_atoms(state: State, weights: dict[int, int], fewer: int) -> State:
    atoms = state.frame.theory.atoms
    newest = frozenset(sorted(weights)[-RECENT:])

    def importance(atom: int) -> tuple[bool, bool, int, int]:
        return not is_complex(atoms[atom]), atom in newest, weights[atom], -atom

    order = sorted(weights, key=importance)
    return forget_atoms(state, sorted(order[: len(order) - fewer]))


def is_complex(atom: Atom) -> bool:
    """Is it about several numbers at once, or about what operations make of them?"""
    if atom[0] != "most" or any(symbol.kind is Kind.LENGTH for symbol, _ in atom[1]):
        return False
    return len(atom[1]) > 1 or any(symbol.kind is Kind.TERM for symbol, _ in atom[1])


def _without(state: State, counts: dict[Any, int], gone: list[Any], most: int) -> State:
    rest = sorted((k for k in counts if k not in gone), key=lambda k: (-counts[k], repr(k)))
    gone = [*gone, *rest[most:]]
    return forget(state, gone, cares=False) if gone else state


def _is_recursive(inner: tuple[Any, ...]) -> bool:
    """Does a key pass the same call twice?"""
    seen = set()
    while len(inner) == 4 and isinstance(inner[3], tuple):
        if inner[:3] in seen:
            return True
        seen.add(inner[:3])
        inner = inner[3]
    return False


def collected(state: State, counts_left: bool) -> State:
    """Without the blocks that nothing leads to; if those count that are left when the program
    ends, only without such that are freed."""
    reached: dict[Name, None] = {}
    work: list[Name] = []

    def add(base: Name | None) -> None:
        if base is not None and base in state.blocks and base not in reached:
            reached[base] = None
            work.append(base)

    for values in state.variables:
        for value in values or ():
            add(value.base)
    for base, cells in state.cells.items():
        if base not in state.blocks:
            for values in cells.values():
                for value in values:
                    add(value.base)
    for base, spreads in state.spreads.items():
        if base not in state.blocks:
            for spread in spreads:
                for value, _ in spread.values:
                    add(value.base)
    while work:
        base = work.pop()
        for values in state.cells.get(base, {}).values():
            for value in values:
                add(value.base)
        for spread in state.spreads.get(base, ()):
            for value, _ in spread.values:
                add(value.base)
    guards = state.frame.theory.guards
    gone = [
        base
        for base, block in state.blocks.items()
        if base not in reached
        and (
            not counts_left
            or block.kind is not BlockKind.HEAP
            or guards.implies(state.reach.may, state.is_dead(base).must)
        )
    ]
    return state if TOP in reached else without(state, gone)
