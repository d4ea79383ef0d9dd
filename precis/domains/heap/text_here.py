"""How long a text is in the memory of a caller."""

from __future__ import annotations

from typing import Final

from precis.domains.heap import memory
from precis.domains.heap.initial import initial
from precis.domains.heap.names import LENGTHS, Kind, Name, Value, constant, minus, numbers
from precis.domains.heap.state import State
from precis.domains.heap.strings import has_text, is_within, length_of
from precis.domains.values import num
from precis.ir.types import U8

MOST_LOOKED_AT: Final = 256  # bytes of one text


def length_here(state: State, value: Value, where: int) -> Value:
    """How many bytes come before one that is zero, or before the end of the block; a range if
    that is not known."""
    base = value.base
    if base is None:
        return numbers(LENGTHS)
    theory, offset = state.frame.theory, Value(None, value.linear, value.number)
    low, high, _ = theory.bounds(offset, where)
    if base.kind is Kind.GLOBAL or base in state.blocks:
        if value.is_constant:
            return _of_known(state, base, low)
        whole = _of_known(state, base, 0)
        is_inside = whole.is_constant and low >= 0 and high <= whole.number[0]
        return minus(whole, offset) if is_inside else numbers(LENGTHS)
    if low < 0 or not has_text(state.frame, base) or not _is_as_before(state, base):
        return numbers(LENGTHS)
    if not is_within(theory, base, offset, where):
        return numbers(LENGTHS)
    memory.note_text(state, base, where)
    return minus(length_of(base), offset)


def _is_as_before(state: State, base: Name) -> bool:
    """Was nothing written through a name since entry?"""
    written = state.cells.get(base) or state.spreads.get(base) or state.written.get(base)
    return not written and not state.wild.may


def _of_known(state: State, base: Name, start: int) -> Value:
    """From so many bytes behind the start of a block on."""
    of_one = _of_constant if base.kind is Kind.GLOBAL else _of_block
    return of_one(state, base, start)


def _of_constant(state: State, base: Name, start: int) -> Value:
    program = state.frame.program
    known = program.globals[str(base.parts[0])]
    if not known.constant or not 0 <= start <= known.size:
        return numbers(LENGTHS)
    for at in range(start, min(known.size, start + MOST_LOOKED_AT)):
        byte = initial(program, known.name, at, U8)
        if byte is None or byte.base is not None:
            return numbers(num.make(at - start, known.size - start))
        if byte == constant(0):
            return constant(at - start)
    return numbers(num.make(0, known.size - start))


def _of_block(state: State, base: Name, start: int) -> Value:
    """By the bytes that are known to be zero, and those that may be."""
    block = state.blocks[base]
    if not block.size.is_constant or start < 0 or state.is_many(base):
        return numbers(LENGTHS)
    size = block.size.number[0]
    if start > size:
        return numbers(LENGTHS)
    least: int | None = None
    for at in range(start, min(size, start + MOST_LOOKED_AT)):
        values = memory.load_cell(state, base, at, 1, U8)
        may = any(v.base is not None or num.contains(memory_bounds(state, v), 0) for v in values)
        if may and least is None:
            least = at - start
        if all(v == constant(0) for v in values):
            return numbers(num.make(at - start if least is None else least, at - start))
    return numbers(num.make(least or 0, size - start))


def memory_bounds(state: State, value: Value) -> num.Num:
    """What a byte can be."""
    return state.frame.theory.bounds(value, state.reach.may)
