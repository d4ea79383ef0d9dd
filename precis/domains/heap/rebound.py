"""What came from outside, or was read somewhere, at a step that is done again: its name stands
for the new one then.

Values that led to the old one lead anywhere now, conditions become what can be said of them
without it, and memory that was written through it may hold anything. What was needed of the old
one stays a need: it is asked of each that comes from outside there. What was written or freed
through the old one is so under the name of those that came before: other pointers may lead to one
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from precis.domains.heap.forget import forget_atoms
from precis.domains.heap.guards import FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.names import (
    ANYTHING,
    READ,
    READS,
    Kind,
    Name,
    Value,
    given,
    is_given,
    is_place,
    name,
)
from precis.domains.heap.sets import TOP_SET, Values
from precis.domains.heap.state import State
from precis.domains.heap.theory import Atom
from precis.domains.protocol import GiveUp


def rebound(state: State, is_old: Callable[[tuple[Any, ...]], bool]) -> State:
    """Without what came from outside, or was read somewhere, under these keys."""
    found = (part for n in state.frame.unknowns() for part in _keyed(n))
    gone = frozenset(n for n in found if is_old(n.parts[0]) and not _is_before(n.parts[0]))
    return _Rebinding(state, gone).run() if gone else state


# How it came from outside.
_BEFORE: Final = {"gives": "gave", "leaves": "left", READS: READ}


def _keyed(symbol: Name) -> Iterator[Name]:
    """The names after steps that a name is, or is made with."""
    if is_given(symbol):
        yield symbol
    elif symbol.kind is Kind.IN and isinstance(symbol.parts[1], Value):
        yield from (place for place, _ in symbol.parts[1].linear if is_place(place))


def _is_before(key: tuple[Any, ...]) -> bool:
    while len(key) == 4:
        key = key[3]
    return key[3] in _BEFORE.values()


def _before(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key of those that came before."""
    if len(key) == 4:
        return (*key[:3], _before(key[3]))
    return (*key[:3], _BEFORE[key[3]], *key[4:])


class _Rebinding:
    def __init__(self, state: State, gone: frozenset[Name]) -> None:
        self._state = state
        self._theory = state.frame.theory
        self._known = dict.fromkeys(gone, True)

    def run(self) -> State:
        state = replace(self._state, dead=self._dead())
        state = replace(
            state,
            variables=tuple(None if v is None else self._values(v) for v in state.variables),
            cells={
                base: {e: TOP_SET if self._is_old(base) else self._values(v) for e, v in c.items()}
                for base, c in state.cells.items()
            },
            written={
                base: {e: Bracket(b.may, FALSE) if self._is_old(base) else b for e, b in m.items()}
                for base, m in state.written.items()
            },
            blocks={
                base: replace(block, size=self._value(block.size))
                for base, block in state.blocks.items()
            },
            spreads={
                base: tuple(
                    replace(
                        spread,
                        offset=self._value(spread.offset),
                        values=tuple(
                            (TOP_SET if self._is_old(base) else self._values(spread.content()))
                            .items()
                        ),
                    )
                    for spread in spreads
                )
                for base, spreads in state.spreads.items()
            },
        )  # fmt: skip
        state = self._written_before(state)
        atoms = [n for n, atom in enumerate(self._theory.atoms) if self._speaks(atom)]
        return forget_atoms(state, atoms)

    def _written_before(self, state: State) -> State:
        """What was written through the old one is written of those that came before: they need not
        be the new one."""
        guards = self._theory.guards
        if any(self._is_old(base) for base, spreads in state.spreads.items() if spreads):
            return state.made_wild(PERHAPS)
        for base, marks in self._state.written.items():
            if not self._is_old(base):
                continue
            older = self._older(base)
            known = dict(state.written.get(older, {}))
            for extent, b in marks.items():
                may = guards.either(known.get(extent, NEVER).may, b.may)
                known[extent] = Bracket(may, FALSE)
                state.frame.recut((base, *extent), (older, *extent))
            if any(low[0] + low[1] > high[0] for low, high in pairwise(sorted(known))):
                return state.made_wild(PERHAPS)  # they lie across each other
            state = state.with_cells(older, dict.fromkeys(known, TOP_SET))
            state = replace(state, written={**state.written, older: known})
        return state

    def _dead(self) -> dict[Name, Bracket]:
        guards = self._theory.guards
        found = {base: b for base, b in self._state.dead.items() if not self._is_old(base)}
        for base, b in self._state.dead.items():
            if self._is_old(base):
                older = self._older(base)
                known = found.get(older, self._state.mark(older))
                found[older] = Bracket(guards.either(known.may, b.may), known.must)
        return found

    def _older(self, base: Name) -> Name:
        """The same of one that came before."""
        if is_given(base):
            return given(_before(base.parts[0]))
        if base.kind is not Kind.IN:
            raise GiveUp("what comes from outside is freed in a way that is not followed")
        inner, offset, type_ = base.parts
        if isinstance(offset, Value) and self._is_in(offset):
            ((place, stride),) = offset.linear
            if not is_place(place):
                raise GiveUp("what comes from outside is freed in a way that is not followed")
            earlier = name(Kind.ANY, _before(place.parts[0]), *place.parts[1:])
            offset = Value(None, ((earlier, stride),), offset.number)
        return name(Kind.IN, self._older(inner) if self._is_old(inner) else inner, offset, type_)

    def _is_old(self, symbol: Name) -> bool:
        """Is a name made of what is gone?"""
        found = self._known.get(symbol)
        if found is None:
            found = self._known[symbol] = any(map(self._has, symbol.parts))
        return found

    def _has(self, part: Any) -> bool:
        if isinstance(part, Name):
            return self._is_old(part)
        if isinstance(part, Value):
            return self._is_in(part)
        return False

    def _is_in(self, value: Value) -> bool:
        if value.base is not None and self._is_old(value.base):
            return True
        return any(self._is_old(symbol) for symbol, _ in value.linear)

    def _speaks(self, atom: Atom) -> bool:
        if atom[0] == "most":
            return any(self._is_old(symbol) for symbol, _ in atom[1])
        return atom[0] != "choice" and any(map(self._has, atom[1:]))

    def _values(self, values: Values) -> Values:
        if not any(map(self._is_in, values)):
            return values
        guards = self._theory.guards
        found: dict[Value, Bracket] = {}
        for value, b in values.items():
            new = self._value(value, b.may)
            known = found.get(new)
            found[new] = b if known is None else guards.any_of(known, b)
        return found

    def _value(self, value: Value, where: int = 1) -> Value:
        if not self._is_in(value):
            return value
        if value.base is not None and self._is_old(value.base):
            return ANYTHING
        kept = tuple(pair for pair in value.linear if not self._is_old(pair[0]))
        gone = tuple(pair for pair in value.linear if self._is_old(pair[0]))
        here = self._theory.guards.both(self._state.reach.may, where)
        return Value(value.base, kept, self._theory.bounds(Value(None, gone, value.number), here))
