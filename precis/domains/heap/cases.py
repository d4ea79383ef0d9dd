"""Conditions as cases: the ways to make them true, for readers."""

from __future__ import annotations

from typing import TypeAlias

from precis.domains.heap.guards import FALSE, TRUE, Guards

Literal: TypeAlias = tuple[int, bool]


def cubes(guards: Guards, low: int, high: int, most: int) -> list[tuple[Literal, ...]] | None:
    """Ways to make a condition true, none of them needless, that together are between two guards
    (Minato's irredundant sums); None if they are more than so many, at some place."""
    memo: dict[tuple[int, int], tuple[int, list[tuple[Literal, ...]]]] = {}

    def walk(low: int, high: int) -> tuple[int, list[tuple[Literal, ...]]]:
        if low == FALSE:
            return FALSE, []
        if high == TRUE:
            return TRUE, [()]
        found = memo.get((low, high))
        if found is None:
            found = memo[low, high] = split(low, high)
        if len(found[1]) > most:
            raise _TooMany
        return found

    def split(low: int, high: int) -> tuple[int, list[tuple[Literal, ...]]]:
        atom = min(guards.split(low)[0], guards.split(high)[0])
        (l0, l1), (h0, h1) = (_sides(guards, guard, atom) for guard in (low, high))
        without, some = walk(guards.without(l0, h1), h0)
        with_, others = walk(guards.without(l1, h0), h1)
        rest = guards.either(guards.without(l0, without), guards.without(l1, with_))
        both, shared = walk(rest, guards.both(h0, h1))
        whole = guards.either(guards.ite(guards.atom(atom), with_, without), both)
        terms = [((atom, False), *cube) for cube in some]
        terms += [((atom, True), *cube) for cube in others]
        return whole, shared + terms

    try:
        return walk(low, high)[1]
    except _TooMany:
        return None


class _TooMany(Exception):
    pass


def _sides(guards: Guards, guard: int, atom: int) -> tuple[int, int]:
    top, low, high = guards.split(guard)
    return (low, high) if top == atom else (guard, guard)
