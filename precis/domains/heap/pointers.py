"""What pointers lead to, as conditions."""

from __future__ import annotations

from typing import Final

from precis.domains.heap.guards import (
    ALWAYS,
    NEVER,
    PERHAPS,
    TRUE,
    Bracket,
)
from precis.domains.heap.names import (
    NULL,
    TOP,
    UNDEFINED,
    Kind,
    Name,
    Value,
    constant,
    is_block,
    is_region,
    minus,
    name,
    numbers,
    plus,
    pointer,
)
from precis.domains.heap.state import State
from precis.domains.values import num
from precis.ir.instr import BlockKind

_SIZE: Final = num.make(0, (1 << 62) - 1)


def is_heap(state: State, value: Value) -> Bracket:
    """Does a pointer lead to the start of a heap block? (Freed or not.)"""
    base = value.base
    if base is None:
        return NEVER
    if base in (TOP, UNDEFINED):
        return PERHAPS
    block = state.blocks.get(base)
    if block is not None:
        heap = block.kind is BlockKind.HEAP
        return NEVER if not heap else _at_start(state, value)
    if base.kind in (Kind.GLOBAL, Kind.CODE, Kind.OBJECT):
        return NEVER
    if state.frame.is_root:
        return NEVER
    moved = Value(None, value.linear, value.number)
    at_start = state.frame.theory.equal_numbers(moved, constant(0))
    return state.frame.theory.guards.all_of(state.frame.theory.flag("heap", base), at_start)


def in_heap(state: State, base: Name | None) -> Bracket:
    """Does a name lead somewhere into a heap block? (Freed or not.)"""
    if base is None or base.kind in (Kind.GLOBAL, Kind.CODE, Kind.OBJECT):
        return NEVER
    block = state.blocks.get(base)
    if block is not None:
        return ALWAYS if block.kind is BlockKind.HEAP else NEVER
    if base in (TOP, UNDEFINED) or state.frame.is_root or not is_region(base):
        return PERHAPS
    return state.frame.theory.flag("inside", base)


def _at_start(state: State, value: Value) -> Bracket:
    return state.frame.theory.equal_numbers(Value(None, value.linear, value.number), constant(0))


def is_code(state: State, value: Value) -> Bracket:
    """Is it a function that is not part of the program, and may be called so?"""
    base = value.base
    if base is TOP:
        return PERHAPS
    if base is None or not is_region(base) or value != pointer(base) or state.frame.is_root:
        return NEVER
    return state.frame.theory.flag("code", base)


def is_writable(state: State, value: Value) -> Bracket:
    base = value.base
    if base is None or base.kind is Kind.CODE:
        return NEVER
    if base in (TOP, UNDEFINED):
        return PERHAPS
    if base.kind is Kind.GLOBAL:
        known = state.frame.program.globals[str(base.parts[0])]
        return NEVER if known.constant else ALWAYS
    if is_region(base) and not state.frame.is_root:
        return state.frame.theory.flag("writable", base)
    return ALWAYS


def same_place(state: State, a: Value, b: Value) -> Bracket:
    """Do two pointers lead to one byte of memory?"""
    x, y = a.base, b.base
    theory = state.frame.theory
    if x is None or y is None or x in (TOP, UNDEFINED) or y in (TOP, UNDEFINED):
        return NEVER if x is None or y is None else PERHAPS
    if x is y:
        return state.alike(x, theory.equal_numbers(a, b))
    if is_block(x) and is_block(y):
        return NEVER
    if not (is_region(x) or x.kind is Kind.CODE) or not (is_region(y) or y.kind is Kind.CODE):
        return NEVER  # made since entry
    distance = minus(Value(None, a.linear, a.number), Value(None, b.linear, b.number))
    if not distance.is_constant:
        return PERHAPS
    return theory.same(y, x, distance.number[0])


def room(state: State, value: Value, where: int) -> Value:
    """How many bytes lie between a pointer and the end of its block, where a guard holds; 0 if
    it is outside."""
    base, frame = value.base, state.frame
    guards = frame.theory.guards
    if base is None:
        return NULL
    if base in (TOP, UNDEFINED) or guards.possible(guards.both(where, state.is_dead(base).may)):
        return numbers(_SIZE)
    front = offset = Value(None, value.linear, value.number)
    block = state.blocks.get(base)
    if block is not None:
        size = block.size
    elif base.kind is Kind.GLOBAL:
        size = constant(frame.program.globals[str(base.parts[0])].size)
    elif base.kind is Kind.CODE or frame.is_root or not is_region(base):
        return numbers(_SIZE)
    else:
        size = Value(None, ((name(Kind.AFTER, base), 1),), num.const(0))
        front = plus(front, Value(None, ((name(Kind.BEFORE, base), 1),), num.const(0)))
    left = minus(size, offset)
    start, end = (frame.theory.bounds(number, where)[0] for number in (front, left))
    return left if start >= 0 and end >= 0 else numbers(_SIZE)


def inside(state: State, value: Value, size: int | Value, where: int = TRUE) -> Bracket:
    """Do so many bytes from the pointer lie in its block? Asked where a guard holds."""
    frame = state.frame
    theory = frame.theory
    guards = theory.guards
    base = value.base
    assert base is not None
    offset = Value(None, value.linear, value.number)
    end = plus(offset, constant(size) if isinstance(size, int) else size)
    block = state.blocks.get(base)
    low: Value = constant(0)
    if block is not None:
        high = block.size
    elif base.kind is Kind.GLOBAL:
        high = constant(frame.program.globals[str(base.parts[0])].size)
    elif base.kind is Kind.CODE or not is_region(base):
        return NEVER
    elif frame.is_root:
        return PERHAPS
    else:
        high = Value(None, ((name(Kind.AFTER, base), 1),), num.const(0))
        low = Value(None, ((name(Kind.BEFORE, base), -1),), num.const(0))
    where = guards.both(where, state.reach.may)
    fits = theory.less_or_equal_where(end, high, where)
    if offset.is_constant and low == constant(0):
        return fits if offset.number[0] >= 0 else NEVER
    return guards.all_of(fits, theory.less_or_equal_where(low, offset, where))
