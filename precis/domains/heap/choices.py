"""Choices: names for what turns out one way where nobody can know which.

With them a condition or a set that is only enclosed becomes one that is exact.
"""

from __future__ import annotations

from typing import Any, Final

from precis.domains.heap.forget import forget, forget_conditions
from precis.domains.heap.guards import FALSE, PERHAPS, TRUE, Bracket
from precis.domains.heap.names import NULL, Kind, Name, Value, constant, name, plus, pointer
from precis.domains.heap.sets import SOME_SET, TOP_SET, Values, only
from precis.domains.heap.state import State
from precis.domains.values import num
from precis.ir.types import Float, Int

MOST_SETTLED: Final = 8  # values of a set


def choice(state: State, key: tuple[Any, ...]) -> tuple[State, Bracket]:
    """A fresh choice; an older one of the key is forgotten."""
    if state.is_repeated(key):
        state = forget(state, [key])
    return state, state.frame.theory.choice(key)


def settled(state: State, values: Values, key: tuple[Any, ...]) -> tuple[State, Values]:
    """A set of which nobody knows when it is which value, with choices that say it."""
    guards = state.frame.theory.guards
    unsure = any(
        guards.possible(guards.both(state.reach.may, guards.without(b.may, b.must)))
        for b in values.values()
    )
    if len(values) < 2 or len(values) > MOST_SETTLED or not unsure:
        return state, values
    if state.is_repeated(key):
        keys = [(*key, number) for number in range(len(values) - 1)]
        state, (values,) = forget_conditions(state, keys, [values])
    found: dict[Value, Bracket] = {}
    left = TRUE
    items = list(values.items())
    for number, (value, b) in enumerate(items[:-1]):
        turned = state.frame.theory.choice((*key, number))
        if turned == PERHAPS:
            return state, values
        may = must = FALSE
        for _, other in items[number + 1 :]:
            may, must = guards.either(may, other.may), guards.either(must, other.must)
        free = guards.either(guards.without(turned.may, must), guards.negation(may))
        this = guards.both(left, guards.both(b.may, guards.either(b.must, free)))
        found[value] = Bracket(this, this)
        left = guards.without(left, this)
    found[items[-1][0]] = Bracket(left, left)
    return state, found


def settled_cells(state: State, address: Values, size: int, key: tuple[Any, ...]) -> State:
    """The state with choices for what the cells hold that an address leads to, where nobody knows
    it: what is read there twice is then the same."""
    for number, target in enumerate(address):
        base = target.base
        if base is None or not target.is_constant or state.is_many(base):
            continue
        extent = (target.number[0], size)
        values = state.cells.get(base, {}).get(extent)
        if values is None:
            continue
        state, new = settled(state, values, (*key, number))
        if new is not values:
            state = state.with_cells(base, {**state.cells[base], extent: new})
    return state


def settled_pointers(state: State, base: Name, key: tuple[Any, ...]) -> State:
    """The same for all pointers in a block, which is about to be copied."""
    for (offset, size), values in state.cells.get(base, {}).items():
        if any(value.base is not None for value in values):
            state = settled_cells(state, only(pointer(base).moved(offset)), size, (*key, offset))
    return state


def decided(state: State, test: Bracket, key: tuple[Any, ...]) -> tuple[State, Bracket]:
    """A condition as one that is known exactly, with a choice where it is not known."""
    guards = state.frame.theory.guards
    unknown = guards.without(test.may, test.must)
    if not guards.possible(guards.both(unknown, state.reach.may)):
        return state, Bracket(test.may, test.may)
    if state.is_repeated(key):
        state, (asked,) = forget_conditions(state, [key], [{NULL: test}])
        test = asked[NULL]
    turned = state.frame.theory.choice(key)
    exact = guards.either(test.must, guards.both(test.may, turned.may))
    return state, Bracket(exact, exact) if turned != PERHAPS else test


def named(state: State, target: int, key: tuple[Any, ...]) -> State:
    """The state with names for the numbers of a variable of which only a range is known: what is
    found out about them later can then be kept."""
    values = state.variables[target]
    is_number = isinstance(state.frame.procedure.variables[target].type, Int)
    if values is None or not is_number or not any(map(_is_range, values)):
        return state
    if state.is_repeated(key):
        state = forget(state, [key])
        values = state.variables[target]
        assert values is not None
    guards = state.frame.theory.guards
    found: dict[Value, Bracket] = {}
    for value, b in values.items():
        if _is_range(value):
            low, high, step = value.number
            symbol = name(Kind.ANY, key, 0, (high - low) // step)
            value = plus(Value(None, value.linear, num.const(low)), unknown_of(symbol, step))
        known = found.get(value)
        found[value] = b if known is None else guards.any_of(known, b)
    return state.with_variable(target, found)


def _is_range(value: Value) -> bool:
    return value.base is None and value.number[0] != value.number[1]


def unknown_of(symbol: Name, times: int = 1) -> Value:
    return Value(None, ((symbol, times),), num.const(0))


def chosen_number(state: State, target: int, key: tuple[Any, ...]) -> State:
    """An input."""
    type_ = state.frame.procedure.variables[target].type
    if not isinstance(type_, Int):
        some = SOME_SET if isinstance(type_, Float) else TOP_SET
        return state.with_variable(target, some)
    state, values = any_number(state, key, (type_.low, type_.high))
    return state.with_variable(target, values)


def any_number(state: State, key: tuple[Any, ...], range_: tuple[int, int]) -> tuple[State, Values]:
    """A fresh number in a range; an older one of the key is forgotten."""
    if state.is_repeated(key):
        state = forget(state, [key])
    low, high = state.frame.input_range(key, range_)
    if low == high:
        return state, only(constant(low))
    return state, only(unknown_of(name(Kind.ANY, key, low, high)))
