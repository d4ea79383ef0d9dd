"""Is memory set? Values that a load makes of several cells do not tell, so this looks at each."""

from __future__ import annotations

from precis.domains.heap import memory
from precis.domains.heap.guards import ALWAYS, NEVER, PERHAPS, Bracket
from precis.domains.heap.names import TOP, UNDEFINED, Kind, Name, Value, is_region
from precis.domains.heap.sets import Values, holds
from precis.domains.heap.state import State
from precis.domains.values import num
from precis.ir.instr import Content
from precis.ir.types import U8


def is_filled(state: State, value: Value, size: int) -> Bracket:
    """Has every one of so many bytes a value?"""
    base = value.base
    if base is None or base is UNDEFINED:
        return NEVER
    guards = state.frame.theory.guards
    if base is TOP or guards.possible(guards.both(state.unknown(base).may, state.reach.may)):
        return PERHAPS
    if base.kind is Kind.GLOBAL and state.frame.is_root and base not in state.cells:
        return ALWAYS if base not in state.spreads else _bytes_of(state, base, value, size)
    if not value.is_constant:
        return _somewhere(state, base, value, size)
    found = ALWAYS
    start, end = value.number[0], value.number[0] + size
    covered = start
    for (at, length), values in sorted(state.cells.get(base, {}).items()):
        if at + length <= start or at >= end:
            continue
        if at > covered:
            found = guards.all_of(found, _before(state, base, covered, at))
        found = guards.all_of(found, _are_set(state, values))
        covered = at + length
    if covered < end:
        found = guards.all_of(found, _before(state, base, covered, end))
    return found


def _are_set(state: State, values: Values) -> Bracket:
    return holds(
        state.frame.theory.guards, values,
        lambda v: NEVER if v.base is UNDEFINED else PERHAPS if v.base is TOP else ALWAYS,
    )  # fmt: skip


def _before(state: State, base: Name, low: int, high: int) -> Bracket:
    """Bytes that were not written by themselves since their block was there."""
    block = state.blocks.get(base)
    if base in state.spreads:
        guards = state.frame.theory.guards
        found = ALWAYS
        for at in range(low, high) if high - low <= 64 else ():
            values = memory.default(state, base, at, U8)
            found = guards.all_of(found, _are_set(state, values))
        return found if high - low <= 64 else PERHAPS
    if block is not None:
        return NEVER if block.content is Content.INDETERMINATE else ALWAYS
    if base.kind is Kind.GLOBAL and state.frame.is_root:
        return ALWAYS
    if is_region(base) and not state.frame.is_root:
        return state.frame.theory.flag_of(("set", base, low, high), base)
    return PERHAPS


def _bytes_of(state: State, base: Name, value: Value, size: int) -> Bracket:
    if not value.is_constant:
        return _somewhere(state, base, value, size)
    return _before(state, base, value.number[0], value.number[0] + size)


def _somewhere(state: State, base: Name, value: Value, size: int) -> Bracket:
    """Bytes at an offset that is not a fixed number: all that there are, one by one."""
    theory = state.frame.theory
    bounds = theory.bounds(value, state.reach.may)
    if num.count(bounds) > 64:
        return PERHAPS
    guards = theory.guards
    found = ALWAYS
    number = Value(None, value.linear, value.number)
    for offset in num.values_of(bounds):
        here = theory.equal_numbers(number, Value(None, (), num.const(offset)))
        fixed = Value(base, (), num.const(offset))
        fine = guards.any_of(guards.opposite(here), is_filled(state, fixed, size))
        found = guards.all_of(found, fine)
    return found
