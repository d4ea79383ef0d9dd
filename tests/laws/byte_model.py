"""Concrete memory of laws: bytes, some of them unset, some of them bytes of pointers.

A block is a list of bytes. Pointers are pairs (block, offset) of the abstract names of blocks, so
that nothing has to be matched here; every block has a fixed address, which integers read over
pointers see. `covers` says whether an abstract value describes what a read gives.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from precis.domains.values import num
from precis.domains.values.value import UNKNOWN, Value
from precis.ir.types import Float, Int, Pointer, Type

WIDTH: Final = 8  # bytes of a pointer


class Fragment(NamedTuple):
    """A byte of a pointer; `which` counts from the lowest."""

    block: int
    offset: int
    which: int


Byte: TypeAlias = int | Fragment | None  # None: unset


def address(block: int, offset: int) -> int:
    return (0x7F00_0000_0000 + block * 0x1_0000 + offset) % (1 << 8 * WIDTH)


def pointer_bytes(block: int, offset: int) -> list[Byte]:
    return [Fragment(block, offset, which) for which in range(WIDTH)]


def number_bytes(value: int, size: int) -> list[Byte]:
    return list((value & ((1 << 8 * size) - 1)).to_bytes(size, "little"))


def plain(byte: int | Fragment) -> int:
    """The byte as a number."""
    if isinstance(byte, Fragment):
        return address(byte.block, byte.offset) >> (8 * byte.which) & 255
    return byte


def raw(content: list[Byte]) -> int | None:
    """The bytes as one number; None if one of them is unset."""
    found = 0
    for at, byte in enumerate(content):
        if byte is None:
            return None
        found |= plain(byte) << (8 * at)
    return found


def pointer_in(content: list[Byte]) -> tuple[int, int] | None:
    """The pointer that the bytes are, if they are one whole pointer."""
    first = content[0]
    if len(content) != WIDTH or not isinstance(first, Fragment):
        return None
    whole = pointer_bytes(first.block, first.offset)
    return (first.block, first.offset) if content == whole else None


def covers(value: Value, content: list[Byte], type_: Type) -> bool:
    """Does the value describe what a read of these bytes as the type gives?"""
    number, pointers, unset = value
    bits = raw(content)
    if bits is None:
        return unset
    places = dict(pointers)
    if UNKNOWN in places or isinstance(type_, Float):
        return True
    if isinstance(type_, Pointer):
        whole = pointer_in(content)
        if whole is not None:
            return whole[0] in places and num.contains(places[whole[0]], whole[1])
        if number is not None and bits == 0 and num.contains(number, 0):
            return True
    else:
        assert isinstance(type_, Int)
        if number is not None and num.contains(number, type_.wrap(bits)):
            return True
    return len(content) == WIDTH and any(
        num.contains(offset, signed) for block, offset in pointers for signed in _from(block, bits)
    )


def _from(block: int, bits: int) -> tuple[int, ...]:
    """The offsets in a block that an address may have."""
    distance = bits - address(block, 0)
    return (distance, distance + (1 << 8 * WIDTH), distance - (1 << 8 * WIDTH))
