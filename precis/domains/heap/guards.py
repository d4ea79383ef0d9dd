"""Guards: decision diagrams, and what is known of their atoms.

The *care set* is what the meaning of the atoms makes true of every
memory (`x = y` and `y = z` bring `x = z`); a guard that contradicts it is as good as false.

A `Bracket` (may, must) encloses a condition that is not known exactly: it implies `may`, and
`must` implies it. A negation swaps the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, final

from precis.domains.heap.clauses import Clause, Clauses, Truth, bits
from precis.domains.heap.diagrams import FALSE, TRUE, Costly, Diagrams, TooLarge

__all__ = [
    "ALWAYS", "FALSE", "NEVER", "PERHAPS", "TRUE", "Bracket", "Costly", "Guards", "TooLarge",
]  # fmt: skip

_FEW: Final = 14  # atoms: all that is known of them is one small formula
_MOST_TRIED: Final = 20_000  # for one guard


class Bracket(NamedTuple):
    may: int
    must: int


ALWAYS: Final = Bracket(TRUE, TRUE)
NEVER: Final = Bracket(FALSE, FALSE)
PERHAPS: Final = Bracket(TRUE, FALSE)


@final
class Guards(Diagrams):
    """The guards of one procedure."""

    __slots__ = ("_care", "_clauses", "_facts", "_literals", "_possible", "_settled")

    def __init__(self, most: int = 200_000) -> None:
        super().__init__(most)
        self._facts: dict[int, list[tuple[int, int]]] = {}  # by their last atom: atoms, guard
        self._clauses = Clauses()
        self._care: dict[int, int] = {}
        self._literals: dict[int, int] = {TRUE: 0}
        self._settled: dict[tuple[int, int, int], bool] = {}
        self._possible: dict[int, bool] = {FALSE: False, TRUE: True}

    def drop(self, first: int) -> None:
        super().drop(first)
        self._care.clear()
        self._settled.clear()
        self._literals = {TRUE: 0}
        self._possible = {FALSE: False, TRUE: True}

    # With what is known of the atoms.

    def learn(self, fact: int) -> None:
        """A fact about atoms that holds in every memory; told when the last of them is new."""
        asked = self._masks[fact]
        if not asked:
            return
        self._facts.setdefault(asked.bit_length() - 1, []).append((asked, fact))
        for clause in self._ways_out(fact):
            self._clauses.add(clause)

    def _ways_out(self, fact: int) -> Iterator[Clause]:
        """Each way to make it false is ruled out by one clause. Facts ask few atoms."""
        work = [(fact, 0, 0)]
        while work:
            node, true, false = work.pop()
            if node == FALSE:
                yield false, true
            elif node != TRUE:
                bit = 1 << self._top[node]
                work.append((self._low[node], true, false | bit))
                work.append((self._high[node], true | bit, false))

    def care(self, guard: int) -> int:
        """What is known of the atoms of a guard together; nothing if they are many: one formula of
        all that is known of all atoms can be too large."""
        atoms = self._masks[guard]
        if atoms.bit_count() > _FEW:
            return TRUE
        found = self._care.get(atoms)
        if found is None:
            found = TRUE
            for atom in bits(atoms):
                for asked, fact in self._facts.get(atom, ()):
                    if not asked & ~atoms:
                        found = self.both(found, fact)
            self._care[atoms] = found
        return found

    def cared(self, guard: int) -> int:
        """The guard and what is known of its atoms; without that if they are many."""
        return self.both(guard, self.care(guard))

    def possible(self, guard: int) -> bool:
        """Can it be true, by what is known of its atoms? If that takes too long: perhaps."""
        found = self._possible.get(guard)
        if found is None:
            found = self._possible[guard] = self._has_model(guard)
        return found

    def settles(self, guard: int, atom: int, value: int) -> bool:
        """Has an atom this value wherever the guard holds?"""
        key = (guard, atom, value)
        found = self._settled.get(key)
        if found is None:
            if self._masks[guard] >> atom & 1:
                found = not self._has_model(guard, (atom, 1 - value))
            else:
                this = self.atom(atom)
                found = self.implies(guard, this if value else self.negation(this))
            self._settled[key] = found
        return found

    def _has_model(self, guard: int, given: tuple[int, int] = (-1, 0)) -> bool:
        """Look for truth values of the atoms, one after the other, that contradict nothing; the
        one of an atom may be given."""
        if guard <= TRUE:
            return guard == TRUE
        mask = self._masks[guard]
        fixed = self._fixed(guard, given, mask)
        return fixed is not None and self._search(guard, fixed, mask) is not None

    def certain(self, guard: int, atoms: Iterable[int]) -> frozenset[int]:
        """Those of the atoms that have one value wherever the guard holds. Each way to make it
        true rules out many that have another value there, so few have to be asked by themselves."""
        asked = 0
        for atom in atoms:
            asked |= 1 << atom
        mask = asked | self._masks[guard]
        fixed = self._fixed(guard, (-1, 0), mask) if guard != FALSE else None
        way = None if fixed is None else self._search(guard, fixed, mask)
        if fixed is None or way is None:
            return frozenset(bits(asked))
        true, false = way  # without a value: it took too long to find a way
        found = asked & (fixed[0] | fixed[1])
        waiting = asked & (true | false) & ~found
        while waiting:
            bit = waiting & -waiting
            waiting ^= bit
            literal = 2 * (bit.bit_length() - 1) + int(not true & bit)
            start = self._clauses.followed(fixed, [literal], mask)
            other = None if start is None else self._search(guard, start, mask)
            if other is None:
                found |= bit
            else:
                waiting &= ~(true & other[1] | false & other[0])
        return frozenset(bits(found))

    def _search(self, guard: int, truth: Truth, mask: int) -> Truth | None:
        """Give values to atoms, one after the other, with all that follows from each. None if
        there is no way; if it takes too long, a way without any values."""
        forks: list[tuple[int, int, Truth]] = []  # what was left, an atom, the values before
        node, tried = guard, 0
        while tried <= _MOST_TRIED:
            node = self._left(node, truth)
            after: Truth | None = None
            if node != FALSE:
                free = mask & ~(truth[0] | truth[1])
                if node == TRUE and not free:
                    self._spent(tried)
                    return truth
                atom = self._top[node] if node > TRUE else (free & -free).bit_length() - 1
                forks.append((node, atom, truth))
                after = self._clauses.followed(truth, [2 * atom], mask)
                tried += 1
            while after is None:  # back, and the other way
                if not forks:
                    self._spent(tried)
                    return None
                node, atom, truth = forks.pop()
                after = self._clauses.followed(truth, [2 * atom + 1], mask)
                tried += 1
            truth = after
        self._spent(tried)
        return 0, 0

    def _left(self, node: int, truth: Truth) -> int:
        """What is left of a guard, from its top on, where atoms have values."""
        true, false = truth
        while node > TRUE:
            atom = self._top[node]
            if true >> atom & 1:
                node = self._high[node]
            elif false >> atom & 1:
                node = self._low[node]
            else:
                break
        return node

    def shortened(self, guard: int, where: int = TRUE) -> int:
        """A guard that is the same where another one holds, and simpler. What is known of atoms
        is not used for that: to tell later that two such guards are equal would ask for it again,
        and all of it."""
        return self.simpler(guard, where)

    def _fixed(self, guard: int, given: tuple[int, int], mask: int) -> Truth | None:
        """The values that atoms must have for the guard to be true, and what follows from them;
        None if they contradict each other."""
        work = list(bits(self._needed(guard)))
        if given[0] >= 0:
            work.append(2 * given[0] + given[1])
        return self._clauses.followed((0, 0), work, mask)

    def given(self, guard: int, where: int) -> int:
        """A guard with the values put in that its atoms must have where another one holds."""
        asked = self._masks[guard]
        fixed = self._fixed(where, (-1, 0), asked | self._masks[where]) if where else None
        for value, atoms in enumerate((fixed[1], fixed[0]) if fixed else ()):
            for atom in bits(atoms & asked):
                guard = self.replaced(guard, atom, value)
        return guard

    def _needed(self, guard: int) -> int:
        """The values of atoms without which the guard is false: one bit for each, at twice the
        atom plus the value."""
        found = self._literals.get(guard)
        if found is None:
            atom, low, high = self._top[guard], self._low[guard], self._high[guard]
            if low == FALSE:
                found = self._needed(high) | 2 << 2 * atom
            elif high == FALSE:
                found = self._needed(low) | 1 << 2 * atom
            else:
                found = self._needed(low) & self._needed(high)
            self._literals[guard] = found
        return found

    def implies(self, left: int, right: int) -> bool:
        if left in (FALSE, right) or right == TRUE:
            return True
        return not self.possible(self.without(left, right))

    def simpler(self, guard: int, where: int) -> int:
        """A guard that is the same wherever `where` is true, and is no larger if it can."""
        if guard <= TRUE or where == TRUE:
            return guard
        if where == FALSE:
            return FALSE
        key = (guard, where)
        found = self._restrict.get(key)
        if found is None:
            found = self._restrict[key] = self._simpler(guard, where)
        return found

    def _simpler(self, guard: int, where: int) -> int:
        top, low, high = self._top, self._low, self._high
        atom = top[guard]
        if top[where] < atom:
            return self.simpler(guard, self.either(low[where], high[where]))
        w0, w1 = (low[where], high[where]) if top[where] == atom else (where, where)
        if w0 == FALSE:
            return self.simpler(high[guard], w1)
        if w1 == FALSE:
            return self.simpler(low[guard], w0)
        return self._node(atom, self.simpler(low[guard], w0), self.simpler(high[guard], w1))

    # Brackets.

    def exact(self, guard: int) -> Bracket:
        return Bracket(guard, guard)

    def opposite(self, b: Bracket) -> Bracket:
        return Bracket(self.negation(b.must), self.negation(b.may))

    def all_of(self, a: Bracket, b: Bracket) -> Bracket:
        if a is b or a == ALWAYS:
            return b
        if b == ALWAYS:
            return a
        return Bracket(self.both(a.may, b.may), self.both(a.must, b.must))

    def any_of(self, a: Bracket, b: Bracket) -> Bracket:
        return Bracket(self.either(a.may, b.may), self.either(a.must, b.must))

    def choice(self, test: Bracket, then: Bracket, other: Bracket) -> Bracket:
        """`then` where the test holds, else `other`."""
        if test.may == test.must:
            may, must = test.may, test.must
            return Bracket(
                self.ite(may, then.may, other.may), self.ite(must, then.must, other.must)
            )
        may = self.either(self.both(test.may, then.may), self.without(other.may, test.must))
        must = self.either(self.both(test.must, then.must), self.without(other.must, test.may))
        return Bracket(may, self.either(must, self.both(then.must, other.must)))
