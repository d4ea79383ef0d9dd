"""Numbers inside that are the lengths of texts, which callers know: at exits they are told so."""

from __future__ import annotations

from dataclasses import replace
from typing import final

from precis.domains.heap.forget import symbols_of
from precis.domains.heap.guards import Bracket
from precis.domains.heap.names import Kind, Name, Value, minus, name, plus, times
from precis.domains.heap.sets import Values
from precis.domains.heap.spreads import Spread
from precis.domains.heap.state import State
from precis.domains.heap.strings import bounds_asked, is_empty
from precis.domains.values import num


def told_by_lengths(state: State) -> State:
    """The same state with lengths of texts in the place of numbers that are just these."""
    some = any(symbol.kind is Kind.ANY for symbol in symbols_of(state))
    return _Telling(state).run() if some else state


@final
class _Telling:
    def __init__(self, state: State) -> None:
        self._state = state
        self._theory = state.frame.theory

    def run(self) -> State:
        state = self._state
        return replace(
            state,
            variables=tuple(None if v is None else self._values(v) for v in state.variables),
            cells={
                base: {extent: self._values(values) for extent, values in cells.items()}
                for base, cells in state.cells.items()
            },
            blocks={
                base: replace(block, size=self._value(block.size, block.made))
                for base, block in state.blocks.items()
            },
            spreads={
                base: tuple(self._spread(spread) for spread in spreads)
                for base, spreads in state.spreads.items()
            },
        )

    def _values(self, values: Values) -> Values:
        found: dict[Value, Bracket] = {}
        for value, b in values.items():
            new = self._value(value, b)
            known = found.get(new)
            found[new] = b if known is None else self._theory.guards.any_of(known, b)
        for value in [v for v in found if len(v.linear) == 1]:
            self._take_empty(found, value)
        return found

    def _take_empty(self, found: dict[Value, Bracket], value: Value) -> None:
        """Let a value with the length of a text in it stand for that of an empty one, too."""
        symbol = value.linear[0][0]
        none = Value(value.base, (), value.number)
        b = found.get(none)
        if symbol.kind is not Kind.LENGTH or b is None:
            return
        guards = self._theory.guards
        where = guards.both(self._state.reach.may, b.may)
        if is_empty(self._theory, symbol.parts[0], where):
            found[value] = guards.any_of(found[value], b)
            del found[none]

    def _spread(self, spread: Spread) -> Spread:
        values = tuple(self._values(spread.content()).items())
        return replace(spread, offset=self._value(spread.offset, spread.when), values=values)

    def _value(self, value: Value, b: Bracket) -> Value:
        found = value
        for symbol, count in value.linear:
            length = self._length(symbol, b) if symbol.kind is Kind.ANY else None
            if length is not None:
                found = plus(minus(found, times(_only(symbol), count)), times(length, count))
        return found

    def _length(self, symbol: Name, b: Bracket) -> Value | None:
        """The length, moved by a number, that another number is where it is used."""
        theory = self._theory
        where = theory.guards.both(self._state.reach.may, b.may)
        for _, text, bound in bounds_asked(theory, symbol, where):
            length = name(Kind.LENGTH, text)
            # symbol - length <= bound, and not less than it
            less = theory.at_most(((symbol, 1), (length, -1)), bound - 1)
            if not theory.guards.possible(theory.guards.both(where, less.may)):
                return Value(None, ((length, 1),), num.const(bound))
        return None


def _only(symbol: Name) -> Value:
    return Value(None, ((symbol, 1),), num.const(0))
