"""Writes at offsets that are not fixed numbers.

A spread says: at an offset that is a sum of unknowns, or somewhere in a range, something was
written. The spreads of a block are kept in the order in which they were made; what a cell holds
is found by laying them over what it held before, each where its offset is that of the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from precis.domains.heap.guards import FALSE, NEVER, Bracket
from precis.domains.heap.names import Value, constant
from precis.domains.heap.sets import TOP_SET, Values, chosen, covers, under, union
from precis.domains.heap.sets import leq as set_leq
from precis.domains.heap.theory import Theory
from precis.domains.values import num
from precis.ir.types import Type

MOST_SPREADS: Final = 6  # of one block


@dataclass(frozen=True, slots=True)
class Spread:
    """`size` bytes at an offset got one of the values, if `when` holds."""

    offset: Value
    size: int
    values: tuple[tuple[Value, Bracket], ...]
    when: Bracket
    type: Type | None

    def content(self) -> Values:
        return dict(self.values)


def hits(theory: Theory, spread: Spread, offset: Value, size: int) -> Bracket:
    """Is a cell just what was written?"""
    if spread.size != size:
        return NEVER
    same = theory.equal_numbers(spread.offset, offset)
    return theory.guards.all_of(spread.when, same)


def grazes(theory: Theory, spread: Spread, offset: Value, size: int) -> int:
    """When was a part of a cell written, or a part of what was written the cell?"""
    guards = theory.guards
    # spread.offset < offset + size and offset < spread.offset + spread.size
    first = theory.less_or_equal(spread.offset, offset.moved(size - 1))
    second = theory.less_or_equal(offset, spread.offset.moved(spread.size - 1))
    found = guards.both(guards.both(first.may, second.may), spread.when.may)
    return guards.without(found, hits(theory, spread, offset, size).must)


def aligned(spread: Spread, offset: Value, size: int) -> bool:
    """Can a cell only be what was written, or none of it?"""
    if spread.size != size:
        return False
    counts = [count for _, count in (*spread.offset.linear, *offset.linear)]
    steps = [number[2] for number in (spread.offset.number, offset.number)]
    distance = spread.offset.number[0] - offset.number[0]
    return all(step % size == 0 for step in (*counts, *steps, distance))


def laid_over(
    theory: Theory, spreads: tuple[Spread, ...], offset: Value, size: int, values: Values
) -> Values:
    """What a cell holds after writes, given what it held before."""
    guards = theory.guards
    for spread in spreads:
        values = chosen(guards, hits(theory, spread, offset, size), spread.content(), values)
        if not aligned(spread, offset, size):
            part = grazes(theory, spread, offset, size)
            if guards.possible(part):
                odd = Bracket(part, FALSE)
                kept = under(guards, values, guards.opposite(odd))
                values = union(guards, [kept, under(guards, TOP_SET, odd)])
    return values


def joined(
    theory: Theory, one: tuple[Spread, ...], two: tuple[Spread, ...], where: int
) -> tuple[Spread, ...]:
    """Spreads that cover both lists: one for each size, at any of their offsets."""
    if one == two:
        return one
    return gathered(theory, (*one, *two), where)


def gathered(theory: Theory, spreads: tuple[Spread, ...], where: int) -> tuple[Spread, ...]:
    guards = theory.guards
    found: dict[int, Spread] = {}
    for spread in spreads:
        here = guards.both(where, spread.when.may)
        range_ = theory.bounds(spread.offset, here)
        perhaps = tuple((value, Bracket(b.may, FALSE)) for value, b in spread.values)
        known = found.get(spread.size)
        when = spread.when.may
        type_ = spread.type
        if known is not None:
            range_ = num.join(known.offset.number, range_)
            merged = union(guards, [dict(known.values), dict(perhaps)])
            perhaps = tuple(merged.items()) if len(merged) <= 8 else tuple(TOP_SET.items())
            when = guards.either(known.when.may, when)
            type_ = type_ if type_ == known.type else None
        offset = Value(None, (), range_)
        found[spread.size] = Spread(offset, spread.size, perhaps, Bracket(when, FALSE), type_)
    return tuple(found.values())


def widened(
    theory: Theory, old: tuple[Spread, ...], new: tuple[Spread, ...], where: int,
    thresholds: tuple[int, ...],
) -> tuple[Spread, ...]:  # fmt: skip
    """Spreads with ranges that do not grow for ever."""
    if old == new:
        return new
    before = {spread.size: spread for spread in gathered(theory, old, where)}
    found = []
    for spread in gathered(theory, new, where):
        known = before.get(spread.size)
        if known is not None:
            range_ = num.widen(known.offset.number, spread.offset.number, thresholds)
            offset = Value(None, (), range_)
            spread = Spread(offset, spread.size, spread.values, spread.when, spread.type)
        found.append(spread)
    return tuple(found)


def leq(theory: Theory, small: tuple[Spread, ...], big: tuple[Spread, ...], where: int) -> bool:
    """Does the second list cover the first? Said of ones that agree write by write, and of
    ranges."""
    if small == big:
        return True
    if len(small) == len(big) and all(map(partial(_weaker, theory, where), small, big)):
        return True
    if any(spread.offset.linear or spread.when.must for spread in big):
        return False
    guards = theory.guards
    for spread in small:
        here = guards.both(where, spread.when.may)
        if not guards.possible(here):
            continue
        range_ = theory.bounds(spread.offset, here)
        if not any(
            wide.size == spread.size
            and num.leq(range_, wide.offset.number)
            and all(
                any(covers(theory, w, value, here) for w, _ in wide.values)
                for value, _ in spread.values
            )
            and guards.implies(here, wide.when.may)
            for wide in big
        ):
            return False
    return True


def _weaker(theory: Theory, where: int, one: Spread, wide: Spread) -> bool:
    """Does the second write say no more than the first?"""
    if one.size != wide.size:
        return False
    guards = theory.guards
    here = guards.both(where, one.when.may)
    return (
        guards.implies(here, wide.when.may)
        and guards.implies(guards.both(where, wide.when.must), one.when.must)
        and covers(theory, wide.offset, one.offset, here)
        and set_leq(theory, one.content(), wide.content(), here)
    )


def at(offset: int) -> Value:
    return constant(offset)
