"""Bit-fields: numbers that lie in some bits of one to eight bytes.

They are kept byte by byte. What is read is exact where all its bytes are known numbers; else it is
any number that the field has room for. Bits beside those that are set may still be unset.
"""

from __future__ import annotations

from functools import partial

from precis.domains.heap import memory
from precis.domains.heap.guards import Guards
from precis.domains.heap.names import Value, constant, numbers
from precis.domains.heap.sets import TOP_SET, Values, is_known, mapped, only, side_by_side
from precis.domains.heap.state import State
from precis.domains.values import num
from precis.ir.types import U8, BitRange, Int, Type


def loaded_bits(state: State, address: Values, bits: BitRange, type_: Type) -> Values:
    """What a bit-field holds."""
    guards = state.frame.theory.guards
    sign = 1 << (bits.width - 1) if isinstance(type_, Int) and type_.signed else 0
    held: Values | None = only(constant(0))
    for number in range(bits.bytes):
        byte = memory.load(state, _moved(guards, address, number), U8)
        held = None if held is None else side_by_side(guards, held, byte, 8 * number)
    if held is None:
        return only(numbers(num.make(-sign, (1 << bits.width) - 1 - sign)))

    def field(value: Value) -> Value:
        number = value.number[0] >> bits.shift & ((1 << bits.width) - 1)
        return constant((number ^ sign) - sign)

    return mapped(guards, held, field)


def with_bits(state: State, address: Values, value: Values, bits: BitRange) -> State:
    """The state after a bit-field was written."""
    guards, before = state.frame.theory.guards, state
    for number in range(bits.bytes):
        place = _moved(guards, address, number)
        mask = ((1 << bits.width) - 1) << bits.shift >> 8 * number & 255
        set_to: Values | None = None
        if all(map(is_known, value)):
            byte = partial(_byte, shift=bits.shift - 8 * number, mask=mask)
            set_to = mapped(guards, value, byte)
        if mask != 255 and set_to is not None:
            held = memory.load(before, place, U8)
            kept = all(map(is_known, held))
            rest = mapped(guards, held, partial(_byte, shift=0, mask=255 & ~mask)) if kept else None
            set_to = None if rest is None else side_by_side(guards, rest, set_to, 0)
        state = memory.store(state, place, TOP_SET if set_to is None else set_to, U8)
    return state


def _byte(value: Value, shift: int, mask: int) -> Value:
    number = value.number[0]
    return constant((number << shift if shift >= 0 else number >> -shift) & mask)


def _moved(guards: Guards, address: Values, by: int) -> Values:
    return mapped(guards, address, lambda v: v if v.base is None else v.moved(by))
