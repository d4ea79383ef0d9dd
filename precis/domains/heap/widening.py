"""Widening: what loops move gets the name of a range, and conditions stop growing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from precis.domains.heap import spreads, strings
from precis.domains.heap.forget import forget_conditions
from precis.domains.heap.frame import FAR
from precis.domains.heap.guards import Bracket
from precis.domains.heap.names import Name, Value
from precis.domains.heap.order import (
    Place,
    aligned,
    at,
    clipped,
    loop_key,
    moved_by_loop,
    places,
    put,
)
from precis.domains.heap.sets import Values
from precis.domains.heap.state import State
from precis.domains.heap.theory import Theory
from precis.domains.values import num

MOST_GROWN: Final = 1  # times that conditions of a set may ask more in the next turn of a loop
MOST_STOPS_OF_POINTERS: Final = 3


def widen(previous: State, current: State, thresholds: tuple[int, ...]) -> State:
    """Numbers that are not stable get the name of a range, the more the wider."""
    previous, current = aligned(previous, current)
    theory, where = current.frame.theory, current.reach.may
    wide = {
        base: spreads.widened(theory, previous.spreads.get(base, ()), new, where, thresholds)
        for base, new in current.spreads.items()
    }
    current = replace(current, spreads=wide)
    changes: list[tuple[Place, Values]] = []
    for place, values in places(current):
        old = at(previous, place)
        if old is None or old == values or not _moves(old, values):
            continue
        changes.append((place, _widened(previous, current, (place, old, values), thresholds)))
    if changes:
        within = [bound for place, values in changes for bound in _within(current, place, values)]
        keys = [loop_key(current, place) for place, _ in changes]
        current, sets_ = forget_conditions(current, keys, [values for _, values in changes])
        for (place, _), values in zip(changes, sets_, strict=True):
            current = put(current, place, values)
        for condition in within:
            reach = theory.guards.all_of(current.reach, condition)
            current = replace(current, reach=reach)
    return _with_old_atoms(previous, current)


def _within(current: State, place: Place, values: Values) -> Iterator[Bracket]:
    """The texts that what a loop moves stays within, as it did so far. Where the place holds
    something else, the number may be 0: it is within every text."""
    theory = current.frame.theory
    known = at(current, place) or {}
    for value in values:
        if len(value.linear) != 1 or value.linear[0][1] != 1:
            continue
        if value.number[0] > 0 and len(values) > 1:
            continue
        for text in strings.candidates(current.frame, value.base):
            if all(
                _is_within(current, text, v, b) for v, b in known.items() if v.base is value.base
            ):
                yield strings.bound(theory, text, value)


def _is_within(state: State, text: Name, value: Value, b: Bracket) -> bool:
    theory = state.frame.theory
    where = theory.guards.both(state.reach.may, b.may)
    return strings.is_within(theory, text, Value(None, value.linear, value.number), where)


def _with_old_atoms(previous: State, current: State) -> State:
    """Conditions of a set that grow with the turns of a loop ask no more than they did."""
    theory, widened = current.frame.theory, current.frame.widened
    for place, values in places(current):
        old = at(previous, place)
        if old is None or old == values or len(values) < 2:
            continue
        new = sorted(_asked(theory, values) - _asked(theory, old))
        if not new:
            continue
        widened[place] = widened.get(place, 0) + 1
        if widened[place] > MOST_GROWN:
            found = {value: theory.forgotten(b, new, cares=False) for value, b in values.items()}
            current = put(current, place, found)
    return current


def _asked(theory: Theory, values: Values) -> set[int]:
    return {n for b in values.values() for guard in b for n in theory.guards.support(guard)}


def _moves(old: Values, new: Values) -> bool:
    """Are there numbers or offsets that were not there before?"""
    return any(value not in old and (value.base is None or value.linear or any(
        known.base is value.base for known in old)) for value in new)  # fmt: skip


def _widened(
    previous: State, current: State, change: tuple[Place, Values, Values],
    thresholds: tuple[int, ...],
) -> Values:  # fmt: skip
    place, old, new = change
    guards = current.frame.theory.guards
    found: dict[Value, Bracket] = {}
    groups: dict[Name | None, list[tuple[Value, Bracket]]] = {}
    for value, b in new.items():
        groups.setdefault(value.base, []).append((value, b))
    for base, members in groups.items():
        if len(members) == 1 and members[0][0] in old:
            found[members[0][0]] = members[0][1]
            continue
        range_ = _range(current, members)
        before = _range(previous, [(v, b) for v, b in old.items() if v.base is base])
        if range_ is None:
            continue
        if before is not None:
            range_ = num.join(before, range_)
            if base is None or _may_stop(current, place):
                range_ = num.widen(before, range_, thresholds)
            else:
                range_ = _far(before, range_)
        range_ = clipped(current, place, base, range_)
        may = must = 0
        for _, b in members:
            may, must = guards.either(may, b.may), guards.either(must, b.must)
        found[moved_by_loop(loop_key(current, place), range_, base)] = Bracket(may, must)
    if len(found) == 1:
        return dict.fromkeys(found, Bracket(1, 1))
    return found


def _may_stop(state: State, place: Place) -> bool:
    """Is there one more number that the offset of a pointer may stop at? Few of the numbers of a
    procedure are about it."""
    widened = state.frame.widened
    widened["at", *place] = so_often = widened.get(("at", *place), 0) + 1
    return so_often <= MOST_STOPS_OF_POINTERS


def _far(before: num.Num, after: num.Num) -> num.Num:
    """As far as it can be where it moved."""
    low, high, step = after
    step = max(1, step)
    if low < before[0]:
        low -= (low + FAR) // step * step
    if high > before[1]:
        high += (FAR - high) // step * step
    return num.make(low, high, step)


def _range(state: State, members: list[tuple[Value, Bracket]]) -> num.Num | None:
    theory = state.frame.theory
    total: num.Num | None = None
    for value, b in members:
        where = theory.guards.both(state.reach.may, b.may)
        if theory.guards.possible(where):
            one = theory.bounds(value, where)
            total = one if total is None else num.join(total, one)
    return total
