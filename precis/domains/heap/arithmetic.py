"""Numbers of C's types, as values with guards: where a sum may leave its type, there is one value
for each way it can wrap around."""

from __future__ import annotations

from precis.domains.heap.guards import FALSE
from precis.domains.heap.names import (
    ANYTHING,
    SOME,
    TOP,
    UNDEFINED,
    Value,
    computed,
    constant,
    extent,
    numbers,
)
from precis.domains.heap.sets import Values, only
from precis.domains.heap.theory import Theory
from precis.domains.values import num
from precis.ir.types import Int, Pointer, Type

_MOST_WRAPS = 3
_WIDEST = Int(64, True)


def fitted(theory: Theory, value: Value, type_: Int, where: int) -> Values:
    """A number brought into a type; `where` is the condition under which it matters."""
    low, high, _ = theory.bounds(value, where)
    if type_.low <= low and high <= type_.high:
        return only(value)
    if not value.linear:
        return only(numbers(num.wrap(value.number, type_)))
    span = 1 << type_.bits
    first, last = (low - type_.low) // span, (high - type_.low) // span
    if last - first >= _MOST_WRAPS:
        return only(_remainder(value, type_))
    guards = theory.guards
    found = {}
    for turns in range(first, last + 1):
        moved = value.moved(-turns * span)
        fits = guards.all_of(
            theory.less_or_equal(constant(type_.low), moved),
            theory.less_or_equal(moved, constant(type_.high)),
        )
        if guards.both(fits.may, where) != FALSE:
            found[moved] = fits
    return found or only(numbers(num.of_type(type_)))


def _remainder(value: Value, type_: Int) -> Value:
    """What is left of a number in a smaller type, where it may wrap many times."""
    low, high, _ = extent(value)
    fits = _WIDEST.low <= low and high <= _WIDEST.high
    if type_.signed or not fits or value.number[0] != value.number[1]:
        return numbers(num.of_type(type_))
    return computed("band", value, constant(type_.high), _WIDEST)


def viewed(theory: Theory, value: Value, type_: Type, where: int) -> Values:
    """A stored value as a load of a type reads it."""
    if value.base is UNDEFINED:
        return only(value)
    match type_:
        case Int():
            if value.base is None:
                return fitted(theory, value, type_, where)
            return only(numbers(num.of_type(type_)))
        case Pointer():
            if value.base is not None or value.is_constant:
                return only(value)  # a constant leads nowhere
            return only(ANYTHING)
        case _:
            return only(SOME if value.base is None else ANYTHING)


def part(value: Value, skip: int, size: int, type_size: int) -> Value:
    """`size` bytes of a value, as an unsigned number, after the first `skip` ones."""
    if value.base is UNDEFINED:
        return value
    if value.base is None and value.is_constant:
        whole = value.number[0] & ((1 << (8 * type_size)) - 1)
        return constant(whole >> (8 * skip) & ((1 << (8 * size)) - 1))
    if value.base is None and value.base is not TOP:
        return numbers(num.make(0, (1 << (8 * size)) - 1))
    return ANYTHING
