"""Abstract values: what a variable or a cell of memory may hold.

A value is a tuple (number, pointers, unset):

number    the plain integers it may be (num.Num), or None; a pointer's number is 0 for null
pointers  pairs (block, offset) in the order of the blocks: addresses it may be, as pointer or
          as an integer made from one
unset     it may be indeterminate: each use then gives any value

Blocks are integers: positive ones stand for blocks of the state, negative ones for globals and
procedures of the program, `UNKNOWN` for an address nothing is known of. Floats are not followed:
every float is `FLOAT`, whose number stands for its bits.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from precis.domains.values import num
from precis.domains.values.num import Num
from precis.ir.types import Float, Int, Pointer, Type

Pointers: TypeAlias = tuple[tuple[int, Num], ...]
Value: TypeAlias = tuple[Num | None, Pointers, bool]

UNKNOWN: Final = 0
FARTHEST: Final = 1 << 66
ANY_OFFSET: Final[Num] = num.make(-FARTHEST, FARTHEST)
ZERO: Final[Num] = (0, 0, 0)
SOMEWHERE: Final[Pointers] = ((UNKNOWN, ANY_OFFSET),)
UNSET: Final[Value] = (None, (), True)
NULL: Final[Value] = (ZERO, (), False)
FLOAT: Final[Value] = (num.of_type(Int(64, False)), (), False)
ANY_POINTER: Final[Value] = (ZERO, SOMEWHERE, False)
MOST_POINTERS: Final = 64


def any_of(type_: Type) -> Value:
    """Every value of a scalar type that is not indeterminate."""
    if isinstance(type_, Int):
        return (num.of_type(type_), (), False)
    if isinstance(type_, Float):
        return FLOAT
    return ANY_POINTER


def used(value: Value, type_: Type) -> Value:
    """What a use of the value gives: an indeterminate one gives anything."""
    if not value[2]:
        return value
    anything = any_of(type_)
    if not value[1]:
        return anything
    number, pointers, _ = anything
    return (number, join_pointers(pointers, value[1]), False)


def of_number(number: Num) -> Value:
    return (number, (), False)


def pointer_to(block: int, offset: Num = ZERO) -> Value:
    return (None, ((block, offset),), False)


def join(a: Value, b: Value) -> Value:
    if a is b or a == b:
        return a
    x, y = a[0], b[0]
    number = y if x is None else x if y is None else num.join(x, y)
    return (number, join_pointers(a[1], b[1]), a[2] or b[2])


def join_pointers(a: Pointers, b: Pointers) -> Pointers:
    if a is b or not b or a == b:
        return a
    if not a:
        return b
    merged = dict(a)
    for block, offset in b:
        known = merged.get(block)
        merged[block] = offset if known is None else num.join(known, offset)
    return _sorted(merged)


def _sorted(merged: dict[int, Num]) -> Pointers:
    if len(merged) > MOST_POINTERS:
        return SOMEWHERE
    return tuple(sorted(merged.items()))


def leq(a: Value, b: Value) -> bool:
    if a is b or a == b:
        return True
    if a[2] and not b[2]:
        return False
    if a[0] is not None and (b[0] is None or not num.leq(a[0], b[0])):
        return False
    return leq_pointers(a[1], b[1])


def leq_pointers(a: Pointers, b: Pointers) -> bool:
    if not a or a == b:
        return True
    bigger = dict(b)
    if UNKNOWN in bigger:
        # An unknown address may be that of any block.
        return True
    for block, offset in a:
        known = bigger.get(block)
        if known is None or not num.leq(offset, known):
            return False
    return True


def widen(a: Value, b: Value, thresholds: tuple[int, ...]) -> Value:
    """For a below b."""
    if a == b:
        return b
    x, y = a[0], b[0]
    number = y if x is None else x if y is None else num.widen(x, y, thresholds)
    if a[1] == b[1]:
        return (number, b[1], a[2] or b[2])
    merged = dict(a[1])
    for block, offset in b[1]:
        known = merged.get(block)
        merged[block] = offset if known is None else _wide(num.widen(known, offset, thresholds))
    return (number, _sorted(merged), a[2] or b[2])


def _wide(offset: Num) -> Num:
    """Offsets too far from their block are all alike."""
    if offset[0] < -FARTHEST or offset[1] > FARTHEST:
        return ANY_OFFSET
    return offset


def narrow(wide: Value, tight: Value) -> Value:
    if wide == tight or wide[0] is None or tight[0] is None:
        return (tight[0], tight[1], wide[2] and tight[2])
    return (num.narrow(wide[0], tight[0]), tight[1], wide[2] and tight[2])


def moved(pointers: Pointers, distance: Num) -> Pointers:
    """The addresses, each moved by one of the distances."""
    if distance == ZERO:
        return pointers
    found = []
    for block, offset in pointers:
        found.append((block, _wide(num.add(offset, distance))))
    return tuple(found)


def renamed(value: Value, names: dict[int, int]) -> Value:
    """The value with blocks renamed; several may become one."""
    pointers = value[1]
    if not pointers:
        return value
    for block, _ in pointers:
        if block in names:
            break
    else:
        return value
    merged: dict[int, Num] = {}
    for block, offset in pointers:
        name = names.get(block, block)
        known = merged.get(name)
        merged[name] = offset if known is None else num.join(known, offset)
    return (value[0], _sorted(merged), value[2])


def as_pointer(value: Value) -> Value:
    """An integer made a pointer: null, the addresses it was made from, or unknown."""
    number, pointers, unset = value
    if number is None or number == ZERO:
        return value
    null = ZERO if num.contains(number, 0) else None
    return (null, join_pointers(pointers, SOMEWHERE), unset)


def is_pointer(type_: Type) -> bool:
    return isinstance(type_, Pointer)
