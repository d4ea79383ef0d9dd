"""Clauses over numbered atoms, and what follows from truth values by them.

Sets of atoms are masks, one bit for each: a clause is looked at with a few operations on numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, final

# The atoms of which one must be true, and those of which one may be false instead.
Clause: TypeAlias = tuple[int, int]
# The atoms that have got the value true, and those that have got false.
Truth: TypeAlias = tuple[int, int]


@final
class Clauses:
    __slots__ = ("_by_literal",)

    def __init__(self) -> None:
        self._by_literal: dict[int, list[Clause]] = {}  # those that it makes shorter

    def add(self, clause: Clause) -> None:
        for atom in bits(clause[0]):
            self._by_literal.setdefault(2 * atom, []).append(clause)
        for atom in bits(clause[1]):
            self._by_literal.setdefault(2 * atom + 1, []).append(clause)

    def followed(self, truth: Truth, work: list[int], mask: int) -> Truth | None:
        """Give values to atoms (twice the atom, plus the value), and to others those that clauses
        about atoms of the mask then ask for; None if that cannot be."""
        true, false = truth
        outside = ~mask
        while work:
            literal = work.pop()
            bit = 1 << (literal >> 1)
            if literal & 1:
                if false & bit:
                    return None
                if true & bit:
                    continue
                true |= bit
            else:
                if true & bit:
                    return None
                if false & bit:
                    continue
                false |= bit
            for positive, negative in self._by_literal.get(literal, ()):
                if positive & true or negative & false or (positive | negative) & outside:
                    continue
                some, none = positive & ~false, negative & ~true
                rest = some | none
                if not rest:
                    return None
                if not rest & (rest - 1):
                    work.append(2 * (rest.bit_length() - 1) + int(some != 0))
        return true, false


def bits(mask: int) -> Iterator[int]:
    """The atoms of a mask, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
