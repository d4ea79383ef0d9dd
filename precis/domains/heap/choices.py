"""Choices: names for what turns out one way where nobody can know which.

With them a condition or a set that is only enclosed becomes one that is exact.
"""

from __future__ import annotations

from typing import Any, Final

from precis.domains.heap.forget import forget
from precis.domains.heap.guards import FALSE, PERHAPS, TRUE, Bracket
from precis.domains.heap.names import Kind, Value, name
from precis.domains.heap.sets import TOP_SET, Values, only
from precis.domains.heap.state import State
from precis.domains.values import num
from precis.ir.types import Int

MOST_SETTLED: Final = 4  # values of a set


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
    found: dict[Value, Bracket] = {}
    left = TRUE
    items = list(values.items())
    if state.is_repeated(key):
        state = forget(state, [(*key, number) for number in range(len(items) - 1)])
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


def decided(state: State, test: Bracket, key: tuple[Any, ...]) -> tuple[State, Bracket]:
    """A condition as one that is known exactly, with a choice where it is not known."""
    guards = state.frame.theory.guards
    unknown = guards.without(test.may, test.must)
    if not guards.possible(guards.both(unknown, state.reach.may)):
        return state, Bracket(test.may, test.may)
    state, turned = choice(state, key)
    exact = guards.either(test.must, guards.both(test.may, turned.may))
    return state, Bracket(exact, exact) if turned != PERHAPS else test


def chosen_number(state: State, target: int, key: tuple[Any, ...]) -> State:
    """An input."""
    type_ = state.frame.procedure.variables[target].type
    if not isinstance(type_, Int):
        return state.with_variable(target, TOP_SET)
    if state.is_repeated(key):
        state = forget(state, [key])
    symbol = name(Kind.ANY, key, type_.low, type_.high)
    return state.with_variable(target, only(Value(None, ((symbol, 1),), num.const(0))))
