"""What callers cannot tell at the exits of a procedure.

A choice or a number inside that only one thing hangs on - the result, or what one cell holds - is
taken out of it: the result is then one of several, nobody knows which, and a caller that looks at
it makes a choice of its own. Nothing is lost by that, unless what is known of the way to the exit
would make the conditions larger than they were. What ties two things together stays, and what
conditions without it would ask more than with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias, final

from precis.domains.heap.forget import (
    atoms_about,
    guards_of,
    inner_keys,
    is_gone,
    numbers_in,
    symbols_of,
)
from precis.domains.heap.guards import ALWAYS, Bracket
from precis.domains.heap.names import Kind, Name
from precis.domains.heap.sets import Values
from precis.domains.heap.state import Extent, State

_Place: TypeAlias = tuple[Name, Extent] | None  # a cell; None: the result
_MOST: Final = 64  # that are taken out


def without_hidden(state: State) -> State:
    """The state at an exit without the choices and numbers that one thing at most hangs on."""
    return _Hiding(state).run()


@final
class _Hiding:
    def __init__(self, state: State) -> None:
        self._theory = state.frame.theory
        self._state = state
        self._reach = state.reach
        self._values: dict[_Place, Values] = {}
        if state.variables and state.variables[0] is not None:
            self._values[None] = state.variables[0]
        for base, cells in state.cells.items():
            if not state.is_many(base):
                self._values |= {(base, extent): values for extent, values in cells.items()}
        self._marks: dict[_Place, Bracket] = {
            place: mark
            for place in self._values
            if place is not None
            and (mark := state.written.get(place[0], {}).get(place[1])) is not None
        }
        self._where: dict[Any, set[_Place]] = {}
        for place in self._values:
            self._note(place)
        self._fixed = self._elsewhere()

    def _elsewhere(self) -> set[Any]:
        """The keys that something else asks."""
        state = self._state
        cells = {b: cells for b, cells in state.cells.items() if state.is_many(b)}
        written = {
            base: {e: mark for e, mark in marks.items() if (base, e) not in self._marks}
            for base, marks in state.written.items()
        }
        rest = replace(
            state,
            reach=ALWAYS,
            variables=(None, *state.variables[1:]),
            cells=cells,
            written=written,
        )
        asked = self._keys(guards_of(rest))
        return asked | {s.parts[0] for s in symbols_of(state) if s.kind is Kind.ANY}

    def _keys(self, guards: Iterable[int]) -> set[Any]:
        atoms: set[int] = set()
        for guard in guards:
            atoms |= self._theory.guards.support(guard)
        return {key for number in atoms for key in inner_keys(self._theory.atoms[number])}

    def _note(self, place: _Place) -> None:
        brackets = [*self._values[place].values()]
        if place in self._marks:
            brackets.append(self._marks[place])
        for key in sorted(self._keys(guard for b in brackets for guard in b), key=repr):
            self._where.setdefault(key, set()).add(place)

    def run(self) -> State:
        for _ in range(_MOST):
            key = self._next()
            if key is None:
                break
            self._hide(key)
        state = self._state
        variables, written = state.variables, {b: dict(m) for b, m in state.written.items()}
        cells = {base: dict(held) for base, held in state.cells.items()}
        for place, values in self._values.items():
            if place is None:
                variables = (values, *variables[1:])
            else:
                cells[place[0]][place[1]] = values
        for place, mark in self._marks.items():
            assert place is not None
            written[place[0]][place[1]] = mark
        return replace(state, reach=self._reach, variables=variables, cells=cells, written=written)

    def _next(self) -> Any | None:
        """A key that one thing at most hangs on, beside the way to the exit."""
        asked = dict.fromkeys((*self._where, *sorted(self._keys(self._reach), key=repr)))
        return next(
            (k for k in asked if k not in self._fixed and len(self._where.get(k, ())) <= 1), None
        )

    def _asks(self, b: Bracket) -> int:
        return len(self._theory.guards.support(b.may) | self._theory.guards.support(b.must))

    def _hide(self, key: Any) -> None:
        gone = frozenset((key,))
        atoms = atoms_about(self._theory, gone)
        numbers = [s for s in numbers_in(self._theory.atoms[n] for n in atoms) if is_gone(s, gone)]
        guards = self._theory.guards
        self._fixed.add(key)
        before = self._reach
        after = self._theory.forgotten(before, atoms, numbers, cares=False)
        if self._asks(after) > self._asks(before):
            return
        self._reach = after

        def changed(b: Bracket) -> Bracket:
            plain = self._theory.forgotten(b, atoms, numbers, cares=False)
            if before == self._reach or plain == b:
                return plain
            here = Bracket(
                guards.both(b.may, before.may), guards.either(b.must, guards.negation(before.may))
            )
            exact = self._theory.forgotten(here, atoms, numbers, cares=False)
            exact = Bracket(*(guards.shortened(guard, self._reach.may) for guard in exact))
            return exact if self._asks(exact) <= self._asks(b) else plain

        for place in self._where.pop(key, ()):
            held = {value: changed(b) for value, b in self._values[place].items()}
            self._values[place] = held
            if place in self._marks:
                self._marks[place] = changed(self._marks[place])
            self._note(place)
        self._where.pop(key, None)
