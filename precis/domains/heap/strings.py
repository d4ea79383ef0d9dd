"""Texts: bytes up to one that is zero.

Every pointer that callers give has a number, the `length` of the text it leads to: no byte before
it is zero, and at it a byte is, or the block ends. A loop that goes on while bytes are not zero
stays within the length; that is kept as a condition, so what callers are asked is that the text
ends in its block, whatever the length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from precis.domains.heap.frame import Calls, Frame
from precis.domains.heap.guards import FALSE, Bracket
from precis.domains.heap.names import (
    Kind,
    Linear,
    Name,
    Value,
    constant,
    is_region,
    minus,
    name,
    numbers,
)
from precis.domains.heap.sets import Values, only
from precis.domains.heap.theory import Atom, Theory
from precis.domains.values import num
from precis.ir.types import I8, U8, Int, Type

MOST_BYTES: Final = 8  # at the start of a text that are looked at one by one
MOST_TEXTS: Final = 3  # that an index may belong to


def length_of(base: Name) -> Value:
    """The length of the text at a place, at entry."""
    return Value(None, ((name(Kind.LENGTH, base), 1),), num.const(0))


def has_text(frame: Frame, base: Name | None) -> bool:
    """Do callers know the length of the text that a name leads to?"""
    if base is None or frame.is_root or frame.inlined or frame.calls is Calls.INLINE:
        return False
    return is_region(base) and base.kind is not Kind.GLOBAL


def is_within(theory: Theory, base: Name, offset: Value, where: int) -> bool:
    """Is an offset at most the length of the text, where a guard holds?"""
    high = offset.number[1]
    if not offset.linear and high <= MOST_BYTES:
        return all(_is_not_zero(theory, base, at, where) for at in range(high))
    return theory.bounds(minus(offset, length_of(base)), where)[1] <= 0


def _is_not_zero(theory: Theory, base: Name, at: int, where: int) -> bool:
    """Is a byte not zero, by what was asked of it so far?"""
    guards = theory.guards
    return any(not guards.possible(guards.both(where, b.may)) for b in _zeros(theory, base, at))


def is_empty(theory: Theory, base: Name, where: int) -> bool:
    """Is the first byte of a text zero, by what was asked of it so far?"""
    return any(theory.guards.implies(where, b.must) for b in _zeros(theory, base, 0))


def _zeros(theory: Theory, base: Name, at: int) -> Iterator[Bracket]:
    """That a byte is zero, as it was read."""
    for type_ in (I8, U8):
        symbol = name(Kind.IN, base, at, type_)
        if theory.atoms_of(symbol):
            byte = Value(None, ((symbol, 1),), num.const(0))
            yield theory.equal_numbers(byte, constant(0))


def speaks_of_bytes(atom: Atom) -> bool:
    """Is it about the first bytes of texts?"""
    return atom[0] == "most" and any(_is_byte(symbol) for symbol, _ in atom[1])


def _is_byte(symbol: Name) -> bool:
    return symbol.kind is Kind.IN and symbol.parts[2] in (I8, U8)


def byte_of_text(frame: Frame, value: Value, type_: Type, where: int) -> Values | None:
    """A byte of a text, within its length, as it was at entry; None if it is no such byte."""
    base = value.base
    if type_ not in (I8, U8) or base is None or not has_text(frame, base):
        return None
    theory = frame.theory
    offset = Value(None, value.linear, value.number)
    if not value.linear or not is_within(theory, base, offset, where):
        return None
    guards = theory.guards
    assert isinstance(type_, Int)
    at_end = theory.equal_numbers(offset, length_of(base))
    before = guards.all_of(
        theory.less_or_equal(constant(0), offset),
        theory.less_or_equal(offset.moved(1), length_of(base)),
    )
    other = guards.negation(at_end.must)
    found = {constant(0): Bracket(guards.negation(before.must), at_end.must)}
    if not type_.signed:
        found[numbers(num.make(1, type_.high))] = Bracket(other, before.must)
    else:
        found[numbers(num.make(1, type_.high))] = Bracket(other, FALSE)
        found[numbers(num.make(type_.low, -1))] = Bracket(other, FALSE)
    return found


def bound(theory: Theory, base: Name, moved: Value) -> Bracket:
    """The condition that a number that a loop moves stays within the length of a text."""
    return theory.less_or_equal(Value(None, moved.linear, moved.number), length_of(base))


def candidates(frame: Frame, base: Name | None) -> list[Name]:
    """The texts that a pointer, or an index, may be moved along."""
    if base is not None:
        return [base] if has_text(frame, base) else []
    return [text for text in frame.texts if has_text(frame, text)][:MOST_TEXTS]


def bounds_asked(theory: Theory, symbol: Name, reach: int) -> Iterator[tuple[int, Name, int]]:
    """The lengths that a number stays within by a guard: the atom, the text, and by how much."""
    support = theory.guards.support(reach)
    for number in theory.atoms_of(symbol):
        if number not in support or theory.atoms[number][0] != "most":
            continue
        text = _length_in(theory.atoms[number][1], symbol)
        if text is not None and theory.guards.settles(reach, number, 1):
            yield number, text, theory.atoms[number][2]


def _length_in(linear: Linear, symbol: Name) -> Name | None:
    """The text of a sum that is a number less the length of the text."""
    if len(linear) != 2 or linear[0] != (symbol, 1) or linear[1][1] != -1:
        return None
    other = linear[1][0]
    return other.parts[0] if other.kind is Kind.LENGTH else None


def some_length(size: num.Num) -> Values:
    """Nobody knows how long a text is; at most so long."""
    return only(numbers(num.make(0, max(0, size[1]))))
