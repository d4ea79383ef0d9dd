"""Atoms: what guards are about, and what is known of them.

atom                 holds if
----------------------------------------------------------------------------------------
("most", linear, n)  a sum of unknown numbers is at most n
("same", y, x, d)    y and x are pointers into one block, y leads d bytes behind x
("null", y)          the pointer y is null
("live", x) ("heap", x) ("writable", x)   of the block that x leads into, at entry
("code", x)          x leads to a function of others, which may be called as it is
("inside", x)        that block is a heap block; "heap": and x leads to its start
("block", y, x)      y and x lead to different places of one block
("set", x, n, m)     the bytes from n to m behind x have a value, at entry
("plain", x, n, m, known)   they hold nothing of a pointer to a heap block, beside those at
                     known offsets; None: all there are
("choice", key)      something turned out one way where nobody can know which

Of atoms that speak of the same things, the care set of the guards is told how they go together.
A relation that is not told costs a proof, never soundness.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias, final

from precis.domains.heap.guards import (
    ALWAYS,
    FALSE,
    NEVER,
    PERHAPS,
    TRUE,
    Bracket,
    Guards,
)
from precis.domains.heap.names import (
    BLOCKS,
    ZERO,
    Kind,
    Linear,
    Name,
    Value,
    constant,
    extent,
    minus,
    name,
    plus,
    range_of,
    ranged,
    times,
)
from precis.domains.values import num
from precis.ir.types import I8, U8

Atom: TypeAlias = tuple[Any, ...]
# What is at most, and at least, so many times a number.
Sides: TypeAlias = tuple[list[tuple[int, Value]], list[tuple[int, Value]]]
MOST_ELIMINATED: Final = 7  # atoms about a number that is eliminated
MOST_ATOMS: Final = 400  # of a procedure; recursion over guards is as deep
MOST_NODES: Final = 200_000  # of the guards of a procedure
FIRST_NODES: Final = 60_000  # as long as many conditions are kept apart
MOST_INLINED_ATOMS: Final = 600  # where the bodies of callees count, too
MOST_INLINED_NODES: Final = 400_000


@final
class Theory:
    """The atoms of one procedure and its guards."""

    __slots__ = (
        "_eliminations", "_index", "_ladders", "_most", "_of", "_same", "_texts", "atoms", "cuts",
        "guards", "spoken",
    )  # fmt: skip

    def __init__(self, most: int = MOST_ATOMS, is_first: bool = False) -> None:
        nodes = MOST_INLINED_NODES if most == MOST_INLINED_ATOMS else MOST_NODES
        self.guards = Guards(min(nodes, FIRST_NODES) if is_first else nodes)
        self._most = most
        self.atoms: list[Atom] = []
        self.cuts: dict[str, int] = {}  # what there was no room for, and how often
        self._index: dict[Atom, int] = {}
        self._of: dict[Any, list[int]] = {}
        self._ladders: dict[Linear, list[tuple[int, int]]] = {}
        self._texts: set[tuple[Name, Name]] = set()  # of which it is known what an empty one is
        self._same: dict[Name, list[tuple[Name, int, int]]] = {}
        self._eliminations: dict[tuple[int, Name], int] = {}
        # Of keys: how many atoms were looked at, and those that speak of them (`forget.py`).
        self.spoken: dict[frozenset[Any], tuple[int, list[int]]] = {}

    def begin(self) -> None:
        """The procedure is about to be run through: what is not needed is dropped."""
        self.guards.begin()
        self._eliminations.clear()
        self.spoken.clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is made of guards here is gone after it, unless there are new atoms."""
        nodes, atoms, exhausted = len(self.guards), len(self.atoms), self.guards.exhausted
        try:
            yield
        finally:
            if len(self.atoms) == atoms:
                self.guards.drop(nodes)
                self._eliminations.clear()
                self.guards.exhausted = exhausted

    def atoms_of(self, thing: Any) -> list[int]:
        """The numbers of the atoms that speak of a name or are of a key."""
        return self._of.get(thing, [])

    def cut(self, what: str) -> None:
        """There was no room for something."""
        self.cuts[what] = self.cuts.get(what, 0) + 1

    def _add(self, atom: Atom, things: Iterator[Any]) -> int | None:
        """The number of a new atom; None if there are too many."""
        if len(self.atoms) >= self._most:
            self.cut("atoms")
            return None
        number = self._index[atom] = len(self.atoms)
        self.atoms.append(atom)
        for thing in things:
            self._of.setdefault(thing, []).append(number)
        return number

    # Numbers.

    def at_most(self, linear: Linear, bound: int) -> Bracket:
        """Is the sum at most the bound?"""
        if not linear:
            return ALWAYS if bound >= 0 else NEVER
        divisor = math.gcd(*(count for _, count in linear))
        if divisor > 1:
            linear = tuple((symbol, count // divisor) for symbol, count in linear)
            bound //= divisor
        if linear[0][1] < 0:
            flipped = tuple((symbol, -count) for symbol, count in linear)
            return self.guards.opposite(self._at_most(flipped, -bound - 1))
        return self._at_most(linear, bound)

    def _at_most(self, linear: Linear, bound: int) -> Bracket:
        low, high, _ = extent(Value(None, linear, num.const(0)))
        if bound >= high:
            return ALWAYS
        if bound < low:
            return NEVER
        atom = ("most", linear, bound)
        number = self._index.get(atom)
        if number is None:
            number = self._add(atom, (symbol for symbol, _ in linear))
            if number is None:
                return PERHAPS
            self._learn_ladder(linear, bound, number)
            self._learn_pairs(linear, bound, number)
            if len(linear) <= 2:
                self._learn_text(linear)
        return self.guards.exact(self.guards.atom(number))

    def _learn_ladder(self, linear: Linear, bound: int, number: int) -> None:
        ladder = self._ladders.setdefault(linear, [])
        guards = self.guards
        this = guards.atom(number)
        for other_bound, other in ladder:
            lower, higher = guards.atom(other), this
            if other_bound > bound:
                lower, higher = higher, lower
            guards.learn(guards.either(guards.negation(lower), higher))
        insort(ladder, (bound, number))

    def _learn_pairs(self, linear: Linear, bound: int, number: int) -> None:
        """Which atoms about the same numbers exclude each other."""
        guards = self.guards
        others = {n for symbol, _ in linear for n in self._of[symbol]} - {number}
        for other in sorted(others):
            atom = self.atoms[other]
            if atom[0] != "most" or atom[1] == linear:
                continue
            for one in _both_ways(linear, bound, guards.atom(number), guards):
                for two in _both_ways(atom[1], atom[2], guards.atom(other), guards):
                    if _exclude(one[0], two[0]):
                        guards.learn(guards.negation(guards.both(one[1], two[1])))

    def _learn_text(self, linear: Linear) -> None:
        """An empty text is one whose first byte is zero; it ends in its block if there is one."""
        for symbol, _ in linear:
            if symbol.kind not in (Kind.LENGTH, Kind.AFTER, Kind.IN):
                continue
            base = symbol.parts[0]
            length, room = name(Kind.LENGTH, base), name(Kind.AFTER, base)
            empty = self._index.get(("most", ((length, 1),), 0))
            if empty is None:
                continue
            guards = self.guards
            is_empty = guards.atom(empty)
            none = self._index.get(("most", ((room, 1),), 0))
            ends = self._index.get(("most", ((room, 1), (length, -1)), 0))
            if none is not None and ends is not None and (base, room) not in self._texts:
                self._texts.add((base, room))
                ended = guards.negation(guards.atom(ends))
                some = guards.both(is_empty, guards.negation(guards.atom(none)))
                guards.learn(guards.either(guards.negation(some), ended))
            for type_ in (I8, U8):
                first = name(Kind.IN, base, 0, type_)
                most = self._index.get(("most", ((first, 1),), 0))
                less = self._index.get(("most", ((first, 1),), -1)) if type_.signed else FALSE
                if most is None or less is None or (base, first) in self._texts:
                    continue
                self._texts.add((base, first))
                below = guards.atom(less) if type_.signed else FALSE
                zero = guards.without(guards.atom(most), below)
                guards.learn(guards.either(guards.negation(zero), is_empty))
                guards.learn(guards.either(guards.negation(is_empty), zero))

    def compared(self) -> Iterator[tuple[Name, list[int]]]:
        """The numbers that were compared, and the bounds they were compared with."""
        for linear, ladder in self._ladders.items():
            if len(linear) == 1:
                yield linear[0][0], [bound for bound, _ in ladder]

    def bounds(self, value: Value, where: int, by_all: bool = False) -> num.Num:
        """What a number, or an offset, can be where a guard holds, by the atoms of that guard;
        or by all there are, but then the answer depends on what came up before."""
        whole = extent(value)
        if not value.linear:
            return whole
        asked = None if by_all else self.guards.support(where)
        total = value.number
        for symbol, count in value.linear:
            total = num.add(total, num.scale(self._range(symbol, where, asked), count))
        if len(value.linear) > 1:
            total = num.meet(total, self._sum_range(value, where, asked)) or total
        return num.meet(total, whole) or whole

    def _sum_range(self, value: Value, where: int, asked: frozenset[int] | None) -> num.Num:
        """By the atoms about the very sum."""
        linear, sign = value.linear, 1
        divisor = math.gcd(*(count for _, count in linear))
        linear = tuple((symbol, count // divisor) for symbol, count in linear)
        if linear[0][1] < 0:
            linear, sign = tuple((symbol, -count) for symbol, count in linear), -1
        low, high = self._climbed(linear, where, asked)
        return num.add(num.scale(num.make(low, high), sign * divisor), value.number)

    def _range(self, symbol: Name, where: int, asked: frozenset[int] | None) -> num.Num:
        """Of one number: by the atoms about it, and those about sums that it is part of."""
        low, high = self._climbed(((symbol, 1),), where, asked)
        for number in self._of.get(symbol, ()):
            atom = self.atoms[number]
            if asked is None or number not in asked or atom[0] != "most" or len(atom[1]) < 2:
                continue
            if self.guards.settles(where, number, 1):
                one_low, one_high = self._share(symbol, atom[1], atom[2], 1, (where, asked))
            elif self.guards.settles(where, number, 0):
                one_low, one_high = self._share(symbol, atom[1], -atom[2] - 1, -1, (where, asked))
            else:
                continue
            low, high = max(low, one_low), min(high, one_high)
        if low > high:  # where the guard holds nothing is
            return range_of(symbol)
        whole = range_of(symbol)
        if symbol.kind is Kind.TERM:
            op, a, b, type_ = symbol.parts
            one, other = (self.bounds(part, where, by_all=asked is None) for part in (a, b))
            whole = num.meet(whole, ranged(op, one, other, type_)) or whole
        return num.meet(num.make(low, high), whole) or num.make(low, high)

    def _share(
        self, symbol: Name, linear: Linear, bound: int, sign: int,
        at: tuple[int, frozenset[int] | None],
    ) -> tuple[int, int]:  # fmt: skip
        """The bounds of a number by that of a sum: sign * linear is at most the bound."""
        own, least = 0, 0
        for other, count in linear:
            count *= sign
            if other is symbol:
                own = count
                continue
            low, high = self._climbed(((other, 1),), *at)
            least += count * (low if count > 0 else high)
        # own * symbol <= bound - least
        whole = range_of(symbol)
        rest = bound - least
        return (whole[0], rest // own) if own > 0 else (-(rest // -own), whole[1])

    def _climbed(self, linear: Linear, where: int, asked: frozenset[int] | None) -> tuple[int, int]:
        """The bounds of a sum where a guard holds: of the atoms about it, from the lowest bound
        to the highest, the first ones are false there and the last ones true."""
        guards = self.guards
        low, high, _ = extent(Value(None, linear, num.const(0)))
        ladder = self._ladders.get(linear, [])
        if asked is not None:
            ladder = [rung for rung in ladder if rung[1] in asked]
        first, last = 0, len(ladder)
        while first < last:  # the first one that is true
            middle = (first + last) // 2
            if guards.settles(where, ladder[middle][1], 1):
                last = middle
            else:
                first = middle + 1
        if first < len(ladder):
            high = min(high, ladder[first][0])
        start, end = 0, first
        while start < end:  # the first one that is not false
            middle = (start + end) // 2
            if guards.settles(where, ladder[middle][1], 0):
                start = middle + 1
            else:
                end = middle
        if start:
            low = max(low, ladder[start - 1][0] + 1)
        return low, high

    def less_or_equal(self, a: Value, b: Value) -> Bracket:
        """Of two numbers, or two offsets from one base."""
        difference = minus(a, b)
        low, high, _ = difference.number
        must = self.at_most(difference.linear, -high)
        if low == high:
            return must
        return Bracket(self.at_most(difference.linear, -low).may, must.must)

    def less_or_equal_where(self, a: Value, b: Value, where: int) -> Bracket:
        """As `less_or_equal`, where a guard holds: there it may be known what a result can be,
        by what its operands can."""
        found = self.less_or_equal(a, b)
        difference = minus(b, a)
        if found.must == TRUE or all(s.kind is not Kind.TERM for s, _ in difference.linear):
            return found
        return ALWAYS if self.bounds(difference, where)[0] >= 0 else found

    def equal_numbers(self, a: Value, b: Value) -> Bracket:
        """As `less_or_equal`."""
        difference = minus(a, b)
        if not difference.linear:
            if not num.contains(difference.number, 0):
                return NEVER
            return ALWAYS if difference.number[0] == difference.number[1] else PERHAPS
        low, high, _ = difference.number
        upper = self.at_most(difference.linear, -low)
        lower = self.guards.opposite(self.at_most(difference.linear, -high - 1))
        both = self.guards.all_of(upper, lower)
        return both if low == high else Bracket(both.may, FALSE)

    # Pointers.

    def null(self, pointer: Name) -> Bracket:
        return self._flag(("null", pointer), pointer)

    def null_atom(self, pointer: Name) -> int | None:
        """The atom that says whether a pointer is null, if that was asked."""
        return self._index.get(("null", pointer))

    def flag(self, kind: str, base: Name) -> Bracket:
        return self._flag((kind, base), base)

    def flag_of(self, atom: Atom, base: Name) -> Bracket:
        """As `flag`, of an atom with more to it."""
        return self._flag(atom, base)

    def choice(self, key: Any) -> Bracket:
        """A fresh choice of this key: the atoms of an older one are to be forgotten before."""
        return self._flag(("choice", key), ("choice", key))

    def together(self, y: Name, x: Name) -> Bracket:
        """Do two unknown pointers lead into one block, not at the same place?"""
        if x.order > y.order:
            y, x = x, y
        return self._flag(("block", y, x), y, x)

    def ask(self, atom: Atom) -> int:
        """The guard of an atom of another procedure's theory."""
        match atom:
            case ("most", linear, bound):
                found = self._at_most(linear, bound)
            case ("same", y, x, distance):
                found = self.same(y, x, distance)
            case ("block", y, x):
                found = self.together(y, x)
            case ("choice", key):
                found = self.choice(key)
            case _:
                found = self._flag(atom, atom[1])
        assert found.may == found.must
        return found.may

    def _flag(self, atom: Atom, *things: Any) -> Bracket:
        number = self._index.get(atom)
        if number is None:
            number = self._add(atom, iter(things))
            if number is None:
                return PERHAPS
        return self.guards.exact(self.guards.atom(number))

    def same(self, y: Name, x: Name, distance: int) -> Bracket:
        """Do two bases lead into one block, y so many bytes behind x? At least one is unknown."""
        if x is y:
            return ALWAYS if distance == 0 else NEVER
        if x.order > y.order:
            y, x, distance = x, y, -distance
        atom = ("same", y, x, distance)
        number = self._index.get(atom)
        if number is None:
            number = self._add(atom, iter((y, x)))
            if number is None:
                return PERHAPS
            self._learn_same(y, x, distance, number)
        return self.guards.exact(self.guards.atom(number))

    def _learn_same(self, y: Name, x: Name, distance: int, number: int) -> None:
        guards = self.guards
        this = guards.atom(number)
        for side in (y, x):
            if side.kind not in BLOCKS:
                null = self.null(side)
                if null != PERHAPS:
                    guards.learn(guards.negation(guards.both(this, null.may)))
        # y = x + distance; with another atom about y or x: a third follows, or both cannot be.
        for end, other, from_end in ((y, x, -distance), (x, y, distance)):
            for third, away, known in self._same.get(end, ()):
                # other = end + from_end, third = end + away
                self._learn_triangle(this, guards.atom(known), third, other, away - from_end)
        self._same.setdefault(y, []).append((x, -distance, number))
        self._same.setdefault(x, []).append((y, distance, number))

    def _learn_triangle(self, one: int, two: int, third: Name, other: Name, distance: int) -> None:
        """If both guards hold, `third` leads `distance` bytes behind `other`."""
        guards = self.guards
        pair = guards.both(one, two)
        if third is other:
            if distance:
                guards.learn(guards.negation(pair))
            return
        if third.kind in BLOCKS and other.kind in BLOCKS:
            guards.learn(guards.negation(pair))
            return
        for end, away, known in self._same.get(other, ()):
            if end is third:
                follows = guards.atom(known)
                if away != distance:
                    follows = guards.negation(follows)
                guards.learn(guards.either(guards.negation(pair), follows))
                rest = guards.both(guards.atom(known), two)
                if away == distance:
                    guards.learn(guards.either(guards.negation(rest), one))
                    rest = guards.both(guards.atom(known), one)
                    guards.learn(guards.either(guards.negation(rest), two))

    # Forgetting.

    def forgotten(
        self, b: Bracket, atoms: list[int], symbols: Sequence[Name] = (), cares: bool = True
    ) -> Bracket:
        """The bracket where nobody knows these atoms and numbers any more."""
        if not atoms:
            return b
        guards = self.guards
        may = must = TRUE
        if b.may != TRUE:
            may = guards.shortened(self._some(b.may, atoms, symbols, cares))
        if b.must != TRUE:
            must = guards.negation(self._some(guards.negation(b.must), atoms, symbols, cares))
        return Bracket(may, must)

    def at_entry(self, guard: int) -> int:
        """When a guard may hold, as far as callers can tell."""
        atoms = [n for n in sorted(self.guards.support(guard)) if is_inner(self.atoms[n])]
        numbers = {
            s: None for n in atoms if self.atoms[n][0] == "most" for s, _ in self.atoms[n][1]
        }
        symbols = sorted(symbol for symbol in numbers if symbol.kind is Kind.ANY)
        return self.forgotten(Bracket(guard, FALSE), atoms, symbols).may

    def _some(self, guard: int, atoms: list[int], symbols: Sequence[Name], cares: bool) -> int:
        """What must hold so that for some meaning of the atoms and numbers the guard does."""
        guards = self.guards
        if guards.support(guard).isdisjoint(atoms):
            return guard
        if cares:
            guard = guards.cared(guard)
        for symbol in symbols:
            guard = self._without_number(guard, symbol)
        return guards.exists(guard, guards.support(guard).intersection(atoms))

    def _without_number(self, guard: int, symbol: Name) -> int:
        """There is a number such that the guard holds (Fourier and Motzkin's elimination)."""
        key = (guard, symbol)
        found = self._eliminations.get(key)
        if found is None:
            support = self.guards.support(guard)
            asked = [number for number in self._of.get(symbol, ()) if number in support]
            found = guard
            if 0 < len(asked) <= MOST_ELIMINATED:
                low, high, _ = range_of(symbol)
                start = ([(1, constant(low))], [(1, constant(high))])
                found = self._eliminated(guard, asked, symbol, start)
            self._eliminations[key] = found
        return found

    def _eliminated(self, guard: int, asked: list[int], symbol: Name, known: Sides) -> int:
        guards = self.guards
        if guard == FALSE:
            return FALSE
        if not asked:
            lowers, uppers = known
            for a, lower in lowers:
                for b, upper in uppers:
                    fits = self.less_or_equal(times(lower, b), times(upper, a))
                    guard = guards.both(guard, fits.may)
            return guard
        first, rest = asked[0], asked[1:]
        _, linear, bound = self.atoms[first]
        count = next(c for s, c in linear if s is symbol)
        others = Value(None, tuple(pair for pair in linear if pair[0] is not symbol), ZERO)
        found = FALSE
        for truth in (1, 0):
            # linear <= bound, or bound + 1 <= linear
            limit = minus(constant(bound if truth else bound + 1), others)
            lowers, uppers = list(known[0]), list(known[1])
            if (count > 0) == bool(truth):
                uppers.append((abs(count), limit if count > 0 else times(limit, -1)))
            else:
                lowers.append((abs(count), limit if count > 0 else times(limit, -1)))
            part = guards.replaced(guard, first, truth)
            found = guards.either(found, self._eliminated(part, rest, symbol, (lowers, uppers)))
        return found


def is_inner(atom: Atom) -> bool:
    """Does an atom speak of what no caller can know?"""
    if atom[0] == "choice":
        return True
    return atom[0] == "most" and any(_is_inner(symbol) for symbol, _ in atom[1])


def _is_inner(symbol: Name) -> bool:
    if symbol.kind is Kind.TERM:
        return any(_is_inner(inner) for v in symbol.parts[1:3] for inner, _ in v.linear)
    return symbol.kind is Kind.ANY


def _both_ways(
    linear: Linear, bound: int, guard: int, guards: Guards
) -> tuple[tuple[Value, int], tuple[Value, int]]:
    """An atom and its negation, each as a sum that is at most 0."""
    total = Value(None, linear, num.const(-bound))
    return (total, guard), (times(total, -1).moved(1), guards.negation(guard))


def _exclude(one: Value, two: Value) -> bool:
    """Can two sums not both be at most 0? Tried with the numbers that cancel in a sum of them."""
    counts = dict(two.linear)
    for symbol, count in one.linear:
        other = counts.get(symbol, 0)
        if count * other < 0:
            total = plus(times(one, abs(other)), times(two, abs(count)))
            if extent(total)[0] > 0:
                return True
    return False


def bounded(symbol: Name) -> tuple[int, int]:
    low, high, _ = range_of(symbol)
    return low, high
