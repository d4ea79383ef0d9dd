"""Guards: propositional formulas over numbered atoms, as reduced ordered decision diagrams.

A guard is a number: 0 is false, 1 is true, every other one a node that asks one atom. Equal
formulas are equal numbers. The *care set* is what the meaning of the atoms makes true of every
memory (`x = y` and `y = z` bring `x = z`); a guard that contradicts it is as good as false.

A `Bracket` (may, must) encloses a condition that is not known exactly: it implies `may`, and
`must` implies it. A negation swaps the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, final

from precis.domains.heap.clauses import Clause, Clauses, Truth, bits

FALSE: Final = 0
TRUE: Final = 1
_FEW: Final = 14  # atoms: all that is known of them is one small formula
_MOST_EFFORT: Final = 3_000_000  # values of atoms tried, from one beginning on
_MORE_NODES: Final = 20_000  # for each call that is inlined
_MOST_TRIED: Final = 20_000  # for one guard


class Bracket(NamedTuple):
    may: int
    must: int


ALWAYS: Final = Bracket(TRUE, TRUE)
NEVER: Final = Bracket(FALSE, FALSE)
PERHAPS: Final = Bracket(TRUE, FALSE)


class TooLarge(Exception):
    """The guards of a procedure need more nodes than they may."""


class Costly(Exception):
    """Something needs more nodes than it is worth; others may still be made."""


@final
class Guards:
    """The guards of one procedure. Atoms are asked in the order of their numbers."""

    __slots__ = (
        "_both", "_care", "_clauses", "_effort", "_either", "_facts", "_high", "_ite", "_limit",
        "_literals", "_low", "_masks", "_most", "_not", "_possible", "_restrict", "_settled",
        "_support", "_top", "_unique", "exhausted",
    )  # fmt: skip

    def __init__(self, most: int = 200_000) -> None:
        self._top: list[int] = [1 << 30, 1 << 30]  # the atom that a node asks
        self._low: list[int] = [FALSE, TRUE]
        self._high: list[int] = [FALSE, TRUE]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._ite: dict[tuple[int, int, int], int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._either: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {}
        self._restrict: dict[tuple[int, int], int] = {}
        self._most = self._limit = most
        self._effort = 0
        self.exhausted = False
        self._masks: list[int] = [0, 0]  # the atoms that a node asks, one bit each
        self._facts: dict[int, list[tuple[int, int]]] = {}  # by their last atom: atoms, guard
        self._clauses = Clauses()
        self._support: dict[int, frozenset[int]] = {FALSE: frozenset(), TRUE: frozenset()}
        self._care: dict[int, int] = {}
        self._literals: dict[int, frozenset[int]] = {TRUE: frozenset()}
        self._settled: dict[tuple[int, int, int], bool] = {}
        self._possible: dict[int, bool] = {FALSE: False, TRUE: True}

    def begin(self) -> None:
        """The guards may grow by as much as they may once more; what is not needed is dropped."""
        self._limit = min(len(self._top) + self._most, 3 * self._most)
        self._effort = 0
        self.exhausted = False
        for memo in (self._ite, self._both, self._either):
            memo.clear()
        self._restrict.clear()

    def rest(self) -> None:
        """Guards may be searched as long as they may once more, and grow a little."""
        self._effort = 0
        self._limit = min(self._limit + _MORE_NODES, 2 * self._most)

    def allow(self, nodes: int) -> None:
        """There may be so many more."""
        self._limit += nodes

    @contextmanager
    def within(self, nodes: int) -> Iterator[None]:
        """What is done here may make so many nodes, else it is Costly."""
        limit, some = self._limit, len(self._top) + nodes
        if some >= limit:
            yield
            return
        self._limit = some
        try:
            yield
        except TooLarge:
            if self._effort > _MOST_EFFORT:
                raise
            self.exhausted = False
            raise Costly from None
        finally:
            self._limit = limit

    def __len__(self) -> int:
        """How many nodes were made."""
        return len(self._top)

    def atom(self, number: int) -> int:
        return self._node(number, FALSE, TRUE)

    def split(self, guard: int) -> tuple[int, int, int]:
        """The atom a node asks, and what it becomes without and with it."""
        return self._top[guard], self._low[guard], self._high[guard]

    def made(self, atom: int, low: int, high: int) -> int:
        """A node as `split` tells it; raises ValueError if there is none like it."""
        if low == high or max(low, high) >= len(self._top):
            raise ValueError("not a node")
        if atom >= min(self._top[low], self._top[high]):
            raise ValueError("not a node")
        return self._node(atom, low, high)

    def _node(self, atom: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (atom, low, high)
        found = self._unique.get(key)
        if found is None:
            found = len(self._top)
            if found > self._limit:
                self.exhausted = True
                raise TooLarge
            self._unique[key] = found
            self._top.append(atom)
            self._low.append(low)
            self._high.append(high)
            self._masks.append(self._masks[low] | self._masks[high] | 1 << atom)
        return found

    # The depth of recursion is the number of atoms, which `Theory` limits.

    def ite(self, test: int, then: int, other: int) -> int:
        if test == then:
            then = TRUE
        if test == other:
            other = FALSE
        if test <= TRUE:
            return then if test else other
        if then == other:
            return then
        if then == FALSE:
            return self.without(other, test)
        if then == TRUE:
            return self.either(test, other)
        if other == FALSE:
            return self.both(test, then)
        key = (test, then, other)
        found = self._ite.get(key)
        if found is None:
            top, low, high = self._top, self._low, self._high
            atom = min(top[test], top[then], top[other])
            t0, t1 = (low[test], high[test]) if top[test] == atom else (test, test)
            x0, x1 = (low[then], high[then]) if top[then] == atom else (then, then)
            y0, y1 = (low[other], high[other]) if top[other] == atom else (other, other)
            found = self._node(atom, self.ite(t0, x0, y0), self.ite(t1, x1, y1))
            self._ite[key] = found
        return found

    def both(self, left: int, right: int) -> int:
        return self._met(left, right, FALSE, self._both)

    def either(self, left: int, right: int) -> int:
        return self._met(left, right, TRUE, self._either)

    def _met(self, left: int, right: int, strong: int, memo: dict[tuple[int, int], int]) -> int:
        """Both, where `strong` is false; either, where it is true."""
        if left > right:
            left, right = right, left
        if left <= TRUE:
            return left if left == strong else right
        if left == right:
            return left
        key = (left, right)
        found = memo.get(key)
        if found is None:
            top, low, high = self._top, self._low, self._high
            atom, other = top[left], top[right]
            if atom == other:
                no = self._met(low[left], low[right], strong, memo)
                yes = self._met(high[left], high[right], strong, memo)
            elif atom < other:
                no = self._met(low[left], right, strong, memo)
                yes = self._met(high[left], right, strong, memo)
            else:
                atom = other
                no = self._met(left, low[right], strong, memo)
                yes = self._met(left, high[right], strong, memo)
            found = memo[key] = self._node(atom, no, yes)
        return found

    def negation(self, guard: int) -> int:
        if guard <= TRUE:
            return 1 - guard
        found = self._not.get(guard)
        if found is None:
            no, yes = self.negation(self._low[guard]), self.negation(self._high[guard])
            found = self._not[guard] = self._node(self._top[guard], no, yes)
            self._not[found] = guard
        return found

    def without(self, left: int, right: int) -> int:
        """Left and not right."""
        if left in (right, FALSE):
            return FALSE
        return self._met(left, self.negation(right), FALSE, self._both)

    def replaced(self, guard: int, atom: int, value: int) -> int:
        """The guard with an atom set to false (0) or true (1)."""
        memo: dict[int, int] = {}

        def walk(node: int) -> int:
            top = self._top[node]
            if top > atom:
                return node
            if top == atom:
                return self._high[node] if value else self._low[node]
            found = memo.get(node)
            if found is None:
                found = memo[node] = self._node(top, walk(self._low[node]), walk(self._high[node]))
            return found

        return walk(guard)

    def exists(self, guard: int, atoms: Iterable[int]) -> int:
        """Is there a value of the atoms that makes it true?"""
        gone = frozenset(atoms)
        if not gone:
            return guard
        last = max(gone)
        memo: dict[int, int] = {}

        def walk(node: int) -> int:
            top = self._top[node]
            if top > last:
                return node
            found = memo.get(node)
            if found is None:
                low, high = walk(self._low[node]), walk(self._high[node])
                if top in gone:
                    found = self.either(low, high)
                else:
                    found = self._node(top, low, high)
                memo[node] = found
            return found

        return walk(guard)

    def atoms(self, guards: Iterable[int]) -> set[int]:
        """The atoms that the guards ask."""
        mask = 0
        for guard in guards:
            mask |= self._masks[guard]
        return set(bits(mask))

    def size(self, guards: Iterable[int]) -> int:
        """How many nodes the guards have together."""
        seen: set[int] = set()
        work = list(guards)
        while work:
            node = work.pop()
            if node > TRUE and node not in seen:
                seen.add(node)
                work += (self._low[node], self._high[node])
        return len(seen)

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

    def support(self, guard: int) -> frozenset[int]:
        """The atoms that a guard asks."""
        found = self._support.get(guard)
        if found is None:
            found = self._support[guard] = frozenset(bits(self._masks[guard]))
        return found

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

    def _spent(self, effort: int) -> None:
        self._effort += effort
        if self._effort > _MOST_EFFORT:
            self.exhausted = True
            raise TooLarge

    def shortened(self, guard: int, where: int = TRUE) -> int:
        """A guard that is the same where another one holds, and simpler. What is known of atoms
        is not used for that: to tell later that two such guards are equal would ask for it again,
        and all of it."""
        return self.simpler(guard, where)

    def _fixed(self, guard: int, given: tuple[int, int], mask: int) -> Truth | None:
        """The values that atoms must have for the guard to be true, and what follows from them;
        None if they contradict each other."""
        work = sorted(self._needed(guard))
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

    def _needed(self, guard: int) -> frozenset[int]:
        """The values of atoms without which the guard is false: twice the atom, plus the value."""
        found = self._literals.get(guard)
        if found is None:
            atom, low, high = self._top[guard], self._low[guard], self._high[guard]
            if low == FALSE:
                found = self._needed(high) | {2 * atom + 1}
            elif high == FALSE:
                found = self._needed(low) | {2 * atom}
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
