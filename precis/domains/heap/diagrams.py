"""Decision diagrams: propositional formulas over numbered atoms, reduced and ordered.

A formula is a number: 0 is false, 1 is true, every other one a node that asks one atom. Equal
formulas are equal numbers. There is a limit to how many nodes may be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from precis.domains.heap.clauses import bits

FALSE: Final = 0
TRUE: Final = 1
_MOST_EFFORT: Final = 3_000_000  # values of atoms tried, from one beginning on
_MORE_NODES: Final = 20_000  # for each call that is inlined


class TooLarge(Exception):
    """The guards of a procedure need more nodes than they may."""


class Costly(Exception):
    """Something needs more nodes than it is worth; others may still be made."""


class Diagrams:
    """The nodes of one procedure. Atoms are asked in the order of their numbers."""

    __slots__ = (
        "_both", "_effort", "_either", "_high", "_ite", "_limit", "_low", "_masks", "_most", "_not",
        "_restrict", "_support", "_top", "_unique", "exhausted",
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
        self._support: dict[int, frozenset[int]] = {FALSE: frozenset(), TRUE: frozenset()}

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

    @contextmanager
    def granted(self, nodes: int) -> Iterator[None]:
        """What is done here may make just so many nodes, whatever was done before."""
        before = self._limit, self._effort, self.exhausted
        self._limit, self._effort = len(self._top) + nodes, 0
        try:
            yield
        finally:
            self._limit, self._effort, self.exhausted = before

    @contextmanager
    def extra(self, nodes: int) -> Iterator[None]:
        """What is done here may make so many nodes, which do not count for what comes after."""
        first = len(self._top)
        with self.granted(nodes):
            yield
        self._limit += len(self._top) - first

    def drop(self, first: int) -> None:
        """Unmake the nodes from a number on; nobody may know them any more."""
        for node in range(first, len(self._top)):
            del self._unique[self._top[node], self._low[node], self._high[node]]
        for row in (self._top, self._low, self._high, self._masks):
            del row[first:]
        for memo in (self._ite, self._both, self._either, self._not, self._restrict):
            memo.clear()
        self._support = {FALSE: frozenset(), TRUE: frozenset()}

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

    def support(self, guard: int) -> frozenset[int]:
        """The atoms that a guard asks."""
        found = self._support.get(guard)
        if found is None:
            found = self._support[guard] = frozenset(bits(self._masks[guard]))
        return found

    def _spent(self, effort: int) -> None:
        self._effort += effort
        if self._effort > _MOST_EFFORT:
            self.exhausted = True
            raise TooLarge
