"""Guards: propositional formulas over numbered atoms, as reduced ordered decision diagrams.

A guard is a number: 0 is false, 1 is true, every other one a node that asks one atom. Equal
formulas are equal numbers. The *care set* is what the meaning of the atoms makes true of every
memory (`x = y` and `y = z` bring `x = z`); a guard that contradicts it is as good as false.

A `Bracket` (may, must) encloses a condition that is not known exactly: it implies `may`, and
`must` implies it. A negation swaps the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, final

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


@final
class Guards:
    """The guards of one procedure. Atoms are asked in the order of their numbers."""

    __slots__ = (
        "_care", "_effort", "_facts", "_high", "_ite", "_limit", "_literals", "_low", "_most",
        "_possible", "_restrict", "_settled", "_support", "_top", "_unique", "exhausted",
    )  # fmt: skip

    def __init__(self, most: int = 200_000) -> None:
        self._top: list[int] = [1 << 30, 1 << 30]  # the atom that a node asks
        self._low: list[int] = [FALSE, TRUE]
        self._high: list[int] = [FALSE, TRUE]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._ite: dict[tuple[int, int, int], int] = {}
        self._restrict: dict[tuple[int, int], int] = {}
        self._most = self._limit = most
        self._effort = 0
        self.exhausted = False
        self._facts: dict[int, list[tuple[frozenset[int], int]]] = {}  # by their last atom
        self._support: dict[int, frozenset[int]] = {FALSE: frozenset(), TRUE: frozenset()}
        self._care: dict[frozenset[int], int] = {}
        self._literals: dict[int, frozenset[int]] = {TRUE: frozenset()}
        self._settled: dict[tuple[int, int, int], bool] = {}
        self._possible: dict[int, bool] = {FALSE: False, TRUE: True}

    def begin(self) -> None:
        """The guards may grow by as much as they may once more; what is not needed is dropped."""
        self._limit = min(len(self._top) + self._most, 3 * self._most)
        self._effort = 0
        self.exhausted = False
        self._ite.clear()
        self._restrict.clear()

    def rest(self) -> None:
        """Guards may be searched as long as they may once more, and grow a little."""
        self._effort = 0
        self._limit = min(self._limit + _MORE_NODES, 2 * self._most)

    def __len__(self) -> int:
        """How many nodes were made."""
        return len(self._top)

    def atom(self, number: int) -> int:
        return self._node(number, FALSE, TRUE)

    def split(self, guard: int) -> tuple[int, int, int]:
        """The atom a node asks, and what it becomes without and with it."""
        return self._top[guard], self._low[guard], self._high[guard]

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
        return found

    # The depth of recursion is the number of atoms, which `Theory` limits.

    def ite(self, test: int, then: int, other: int) -> int:
        if test == TRUE or then == other:
            return then
        if test == FALSE:
            return other
        if then == TRUE and other == FALSE:
            return test
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
        if left > right:
            left, right = right, left
        return self.ite(left, right, FALSE)

    def either(self, left: int, right: int) -> int:
        if left > right:
            left, right = right, left
        return self.ite(left, TRUE, right)

    def negation(self, guard: int) -> int:
        return self.ite(guard, FALSE, TRUE)

    def without(self, left: int, right: int) -> int:
        """Left and not right."""
        return self.ite(right, FALSE, left)

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
        seen: set[int] = set()
        found: set[int] = set()
        work = list(guards)
        while work:
            node = work.pop()
            if node > TRUE and node not in seen:
                seen.add(node)
                found.add(self._top[node])
                work += (self._low[node], self._high[node])
        return found

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
        asked = self.support(fact)
        if asked:
            self._facts.setdefault(max(asked), []).append((asked, fact))

    def support(self, guard: int) -> frozenset[int]:
        """The atoms that a guard asks."""
        found = self._support.get(guard)
        if found is None:
            found = self._support[guard] = frozenset(self.atoms([guard]))
        return found

    def care(self, atoms: frozenset[int]) -> int:
        """What is known of these atoms together. One formula of all that is known of all atoms
        can be too large; of those of one guard it is small."""
        found = self._care.get(atoms)
        if found is None:
            found = TRUE
            for atom in sorted(atoms):
                for asked, fact in self._facts.get(atom, ()):
                    if asked <= atoms:
                        found = self.both(found, fact)
            self._care[atoms] = found
        return found

    def cared(self, guard: int) -> int:
        """The guard and what is known of its atoms; without that if they are many."""
        atoms = self.support(guard)
        return self.both(guard, self.care(atoms)) if len(atoms) <= _FEW else guard

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
            if atom in self.support(guard):
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
        order = sorted(self.support(guard))
        facts = self._facts_of(order)
        fixed = self._fixed(guard, given, facts)
        if fixed is None:
            return False
        return self._search(guard, order, fixed, self._by_atom(facts))

    def _facts_of(self, atoms: list[int]) -> list[list[int]]:
        """What is known of these atoms and no others."""
        whole = frozenset(atoms)
        return [
            [fact for asked, fact in self._facts.get(atom, ()) if asked <= whole] for atom in atoms
        ]

    def _by_atom(self, facts: list[list[int]]) -> dict[int, list[int]]:
        about: dict[int, list[int]] = {}
        for group in facts:
            for fact in group:
                for atom in self.support(fact):
                    about.setdefault(atom, []).append(fact)
        return about

    def certain(self, guard: int, atoms: Iterable[int]) -> frozenset[int]:
        """Those of the atoms that have one value wherever the guard holds. Each way to make it
        true rules out many that have another value there, so few have to be asked by themselves."""
        asked = frozenset(atoms)
        order = sorted(self.support(guard) | asked)
        facts = self._facts_of(order)
        fixed = self._fixed(guard, (-1, 0), facts) if guard != FALSE else None
        if fixed is None:
            return asked
        about = self._by_atom(facts)
        truth = dict(fixed)
        if not self._search(guard, order, truth, about):
            return asked
        waiting = {atom: truth.get(atom) for atom in sorted(asked - fixed.keys())}
        found = asked & fixed.keys()
        while waiting:
            atom, value = waiting.popitem()
            if value is None:  # it took too long to find a way
                continue
            truth = dict(fixed)
            way = self._given(atom, 1 - value, truth, [], about)
            if way and self._search(guard, order, truth, about):
                waiting = {a: v for a, v in waiting.items() if truth.get(a, v) == v}
            else:
                found |= {atom}
                fixed[atom] = value
        return found

    def _search(
        self, guard: int, order: list[int], truth: dict[int, int], about: dict[int, list[int]]
    ) -> bool:
        """Give values to atoms, one after the other, with all that follows from each. If it says
        yes the values are one way; without any, it took too long."""
        trail: list[int] = []  # the atoms that have got values
        forks: list[tuple[int, int, int]] = []  # what was left, an atom, how long the trail was
        node, tried = guard, 0
        while tried <= _MOST_TRIED:
            node = self._followed(node, truth)
            is_good = node != FALSE
            if is_good:
                free = (a for a in order if a not in truth)
                atom = self._top[node] if node > TRUE else next(free, None)
                if atom is None:
                    self._spent(tried)
                    return True
                forks.append((node, atom, len(trail)))
                is_good = self._given(atom, 0, truth, trail, about)
                tried += 1
            while not is_good:  # back, and the other way
                if not forks:
                    self._spent(tried)
                    return False
                node, atom, length = forks.pop()
                for gone in trail[length:]:
                    del truth[gone]
                del trail[length:]
                is_good = self._given(atom, 1, truth, trail, about)
                tried += 1
        self._spent(tried)
        truth.clear()
        return True

    def _followed(self, node: int, truth: dict[int, int]) -> int:
        """What is left of a guard, from its top on, where atoms have values."""
        while node > TRUE:
            value = truth.get(self._top[node])
            if value is None:
                break
            node = self._high[node] if value else self._low[node]
        return node

    def _given(
        self, atom: int, value: int, truth: dict[int, int], trail: list[int],
        about: dict[int, list[int]],
    ) -> bool:  # fmt: skip
        """Give an atom a value, and others those that facts then ask for; can that be?"""
        work = [(atom, value)]
        while work:
            atom, value = work.pop()
            known = truth.get(atom)
            if known is not None:
                if known != value:
                    return False
                continue
            truth[atom] = value
            trail.append(atom)
            for fact in about.get(atom, ()):
                left = self._assigned(fact, truth)
                if left == FALSE:
                    return False
                if left != TRUE and FALSE in (self._low[left], self._high[left]):
                    work.append((self._top[left], int(self._low[left] == FALSE)))
        return True

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

    def _fixed(
        self, guard: int, given: tuple[int, int], facts: list[list[int]]
    ) -> dict[int, int] | None:
        """The values that atoms must have for the guard to be true, and what follows from them;
        None if they contradict each other."""
        fixed = {literal >> 1: literal & 1 for literal in self._needed(guard)}
        if given[0] >= 0 and fixed.setdefault(*given) != given[1]:
            return None
        waiting = [fact for group in facts for fact in group]
        grew = True
        while grew:
            grew = False
            later = []
            for fact in waiting:
                left = self._assigned(fact, fixed)
                if left == FALSE:
                    return None
                if left == TRUE:
                    continue
                atom, low, high = self._top[left], self._low[left], self._high[left]
                if FALSE in (low, high):
                    fixed[atom] = int(low == FALSE)
                    grew = True
                    left = high if low == FALSE else low
                if left != TRUE:
                    later.append(left)
            waiting = later
        return fixed

    def given(self, guard: int, where: int) -> int:
        """A guard with the values put in that its atoms must have where another one holds."""
        support = self.support(guard) | self.support(where)
        facts = [
            [fact for asked, fact in self._facts.get(atom, ()) if asked <= support]
            for atom in sorted(support)
        ]
        fixed = self._fixed(where, (-1, 0), facts) if where != FALSE else None
        if not fixed:
            return guard
        for atom in self.support(guard) & fixed.keys():
            guard = self.replaced(guard, atom, fixed[atom])
        return guard

    def _assigned(self, fact: int, truth: dict[int, int]) -> int:
        """A fact, which asks few atoms, with some of them known."""
        if fact <= TRUE:
            return fact
        atom, low, high = self._top[fact], self._low[fact], self._high[fact]
        value = truth.get(atom)
        if value is not None:
            return self._assigned(high if value else low, truth)
        return self._node(atom, self._assigned(low, truth), self._assigned(high, truth))

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
