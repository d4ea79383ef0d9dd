"""What belongs to one procedure while it is analysed: its atoms, and which names may be one.

Two pointers that callers provide may lead to the same memory. That matters only if something is
written through the one and read, or written in no fixed order, through the other. So a procedure
is first analysed with every pointer by itself, and what would have mattered is noted; then again
with those pointers *related*, until nothing new is noted. In a frame where y is related to x, an
unknown y is x where the two are the same, and y itself where they are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias, final

from precis.domains.heap.guards import ALWAYS, FALSE, PERHAPS, Bracket
from precis.domains.heap.names import NULL, Kind, Name, is_region, pointer, type_of, unknown
from precis.domains.heap.sets import Values
from precis.domains.heap.theory import MOST_ATOMS, MOST_INLINED_ATOMS, Theory
from precis.ir.loops import edges, weak_order
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Pointer, Type

Pair: TypeAlias = tuple[Name, Name, int]  # y, x, d: y may be x + d; x comes first in order
CellName: TypeAlias = tuple[Name, int, int]
# y leads between so many and so many bytes behind x, and not just as many as the last says:
# cells that were used overlap without being one. A summary does not hold for such callers.
Overlap: TypeAlias = tuple[Name, Name, int, int, int | None]
# A place, so many bytes behind a name, whose address was compared with that of another, or of a
# block made since (None). In different blocks they are taken to differ, which holds for callers
# whose places lie inside their blocks.
Compared: TypeAlias = tuple[Name, int, Name | None, int]

MOST_PARTNERS: Final = 5  # names that a name can be the same as, exactly


class Calls(Enum):
    """How a summary is applied."""

    STRONG = "strong"
    WEAK = "weak"
    INLINE = "inline"  # not at all: the body is analysed in the memory of each call


class Alias(Enum):
    """Which pointers may lead to the same memory."""

    TYPED = "typed"  # those to cells of one size and kind
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Relation:
    """The pairs of a frame: an entry of the domain. Of a `cut` one nobody says when it is one."""

    pairs: tuple[Pair, ...] = ()
    cut: frozenset[Pair] = frozenset()
    is_root: bool = False

    def grown(self, wanted: tuple[Pair, ...]) -> Relation:
        """With more pairs, and those that follow from them."""
        pairs = dict.fromkeys((*self.pairs, *wanted))
        work = list(pairs)
        while work:
            y, x, d = work.pop()
            for y2, x2, d2 in list(pairs):
                for one, other, e in _follows((y, x, d), (y2, x2, d2)):
                    pair = ordered(one, other, e)
                    if pair is not None and pair not in pairs:
                        if len(pairs) > 200:
                            break
                        pairs[pair] = None
                        work.append(pair)
        partners: dict[Name, int] = {}
        cut = set(self.cut)
        for pair in pairs:
            partners[pair[0]] = partners.get(pair[0], 0) + 1
            if partners[pair[0]] > MOST_PARTNERS:
                cut.add(pair)
        return Relation(tuple(sorted(pairs, key=_pair_order)), frozenset(cut), self.is_root)


def _pair_order(pair: Pair) -> tuple[object, ...]:
    return (pair[0].order, pair[1].order, pair[2])


def _follows(one: Pair, two: Pair) -> list[Pair]:
    """y = x + d and two more: what they say of a third pair."""
    y, x, d = one
    v, u, e = two
    found: list[Pair] = []
    if u is y:
        found.append((v, x, d + e))
    if v is x:
        found.append((y, u, d + e))
    if v is y and u is not x:
        found.append((u, x, d - e))
    if u is x and v is not y:
        found.append((y, v, d - e))
    return found


def ordered(y: Name, x: Name, distance: int) -> Pair | None:
    """The pair with the earlier name second; None if it says nothing."""
    if y is x or not (is_region(y) and is_region(x)):
        return None
    if y.kind is Kind.GLOBAL and x.kind is Kind.GLOBAL:
        return None
    return (y, x, distance) if x.order < y.order else (x, y, -distance)


@dataclass(slots=True)
class Notes:
    """What an analysis of the procedure saw."""

    wanted: dict[Pair, None] = field(default_factory=dict)
    order: dict[tuple[CellName, CellName], None] = field(default_factory=dict)  # stores in turn


@final
class Frame:
    """One procedure, with one relation. An `inlined` one shares the names and guards of the
    procedure that it is analysed for; `owner` tells its own names from those of other calls."""

    __slots__ = (
        "_atoms",
        "_partners",
        "_recursive",
        "_rounds",
        "_unknowns",
        "alias",
        "calls",
        "compared",
        "heads",
        "held",
        "inlined",
        "is_root",
        "notes",
        "overlaps",
        "owner",
        "procedure",
        "program",
        "relation",
        "sequence",
        "theory",
        "turns",
        "types",
    )  # fmt: skip

    def __init__(
        self, program: Program, procedure: Procedure, relation: Relation,
        alias: Alias = Alias.ALL, calls: Calls = Calls.STRONG, recursive: bool = False,
        within: tuple[Frame, str] | None = None,
    ) -> None:  # fmt: skip
        self.program = program
        self.procedure = procedure
        self.relation = relation
        self.is_root = relation.is_root
        self.alias = alias
        self.calls = calls
        self.inlined = within is not None
        self.held: tuple[int, ...] = ()  # which variables of callers hold blocks
        self.owner = procedure.name
        self.theory = Theory(MOST_INLINED_ATOMS if calls is Calls.INLINE else MOST_ATOMS)
        self.notes = Notes()
        self.overlaps: dict[Overlap, None] = {}
        self.compared: dict[Compared, None] = {}
        self.sequence: tuple[CellName, ...] = ()  # the order in which a summary writes
        self.types: dict[CellName, Type] = {}  # how cells were first read or written
        if within is not None:
            root, self.owner = within
            self.theory, self.types = root.theory, root.types
        self._unknowns: dict[Name, Values] = {}
        self._partners: dict[Name, list[tuple[Name, int, bool]]] = {}
        self._atoms = self._rounds = 0
        self._recursive = recursive
        order = weak_order(edges(procedure))
        self.heads: dict[int, tuple[int, ...]] = {}  # of the loops around a block, outermost first
        for at, block in enumerate(order.blocks):
            for place in range(at, at + order.span.get(block, 0)):
                inside = order.blocks[place]
                self.heads[inside] = (*self.heads.get(inside, ()), block)
        self.turns = 0  # of loops, that were kept apart
        for pair in relation.pairs:
            y, x, d = pair
            self._partners.setdefault(y, []).append((x, d, pair in relation.cut))

    def begin(self) -> None:
        """The procedure is about to be run through."""
        self._atoms = len(self.theory.atoms)
        self.theory.guards.begin()
        self.turns = 0

    def is_unsettled(self) -> bool:
        """Did new atoms come up that loops may be seen more sharply with?"""
        if (
            self.calls is Calls.INLINE
            or not (self.heads or self._recursive)
            or len(self.theory.atoms) == self._atoms
            or self._rounds >= 3
        ):
            return False
        self._rounds += 1
        return True

    def is_repeated(self, key: tuple[Any, ...]) -> bool:
        """Is the place that a key begins with, (procedure, block, ...), in a loop?"""
        return key[1] in self.heads

    def unknown(self, symbol: Name) -> Values:
        """What an unknown at entry is, in terms of the names that come before it."""
        found = self._unknowns.get(symbol)
        if found is None:
            found = self._unknowns[symbol] = self._unknown(symbol)
        return found

    def unknowns(self) -> list[Name]:
        """The unknowns at entry that came up so far."""
        return list(self._unknowns)

    def _unknown(self, symbol: Name) -> Values:
        if not isinstance(type_of(symbol), Pointer):
            return {unknown(symbol): ALWAYS}
        guards = self.theory.guards
        null = self.theory.null(symbol)
        found = {NULL: null}
        left = guards.opposite(null)
        for x, distance, is_cut in self._partners.get(symbol, ()):
            same = PERHAPS if is_cut else self.theory.same(symbol, x, distance)
            if guards.possible(same.may):
                found[pointer(x, distance)] = guards.all_of(left, same)
                left = guards.all_of(left, guards.opposite(same))
        found[pointer(symbol)] = left
        return {value: b for value, b in found.items() if b.may != FALSE}

    def related(self, y: Name, x: Name, distance: int) -> bool:
        """Is it known that two names may be the same at this distance?"""
        pair = ordered(y, x, distance)
        return pair is None or any(
            other is pair[1] and d == pair[2] for other, d, _ in self._partners.get(pair[0], ())
        )

    def want(self, y: Name, x: Name, distance: int) -> None:
        """It mattered whether two names are the same at this distance."""
        pair = ordered(y, x, distance)
        if pair is not None and not self.related(y, x, distance):
            self.notes.wanted[pair] = None

    def apart(self, overlap: Overlap) -> None:
        """It is taken for granted that two names are not so."""
        self.overlaps[overlap] = None

    def differ(self, compared: Compared) -> None:
        """It is taken for granted that two places have one address only if they are one."""
        self.compared[compared] = None

    def stored(self, before: CellName, after: CellName) -> None:
        """Something was stored into one cell and later into another."""
        self.notes.order[before, after] = None

    def bracket_of_cut(self, pair: Pair) -> Bracket:
        return PERHAPS if pair in self.relation.cut else ALWAYS
