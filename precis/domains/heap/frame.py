"""What belongs to one procedure while it is analysed: its atoms, and which names may be one.

Two pointers that callers provide may lead to the same memory. That matters only if something is
written through the one and read, or written in no fixed order, through the other. So a procedure
is first analysed with every pointer by itself, and what would have mattered is noted; then again
with those pointers *related*, until nothing new is noted. In a frame where y is related to x, an
unknown y is x where the two are the same, and y itself where they are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, TypeAlias, final

from precis.domains.heap.guards import ALWAYS, FALSE, PERHAPS, Bracket
from precis.domains.heap.names import NULL, Kind, Name, is_region, pointer, type_of, unknown
from precis.domains.heap.sets import Values
from precis.domains.heap.theory import MOST_ATOMS, MOST_INLINED_ATOMS, Theory
from precis.ir.loops import edges, weak_order
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import VOID_POINTER, Pointer, Record, Type, scalar_bytes

Pair: TypeAlias = tuple[Name, Name, int]  # y, x, d: y may be x + d; x comes first in order
CellName: TypeAlias = tuple[Name, int, int]
# y leads between so many and so many bytes behind x, and not just as many as the last says:
# cells that were used overlap without being one. A summary does not hold for such callers.
Overlap: TypeAlias = tuple[Name, Name, int, int, int | None]
# A place, so many bytes behind a name, whose address was compared with that of another, or of a
# block made since (None). In different blocks they are taken to differ, which holds for callers
# whose places lie inside their blocks.
Compared: TypeAlias = tuple[Name, int, Name | None, int]

FAR: Final = 1 << 62  # more bytes than there are
MOST_PAIRS: Final = 60  # of names that may be the same
MOST_COARSER: Final = 3
MOST_PARTNERS: Final = 5  # names that a name can be the same as, exactly


class Calls(Enum):
    """How a summary is applied."""

    STRONG = "strong"
    WEAK = "weak"
    INLINE = "inline"  # not at all: the body is analysed in the memory of each call


class Classes(Enum):
    """Which pointers are related, so that guards say whether they lead to the same memory."""

    ORDER = "order"  # those of which it matters
    TYPE = "type"  # those, and all that have one type: for comparison


class Alias(Enum):
    """Which pointers may lead to the same memory."""

    TYPED = "typed"  # those to cells of one size and kind
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Relation:
    """The pairs of a frame: an entry of the domain. Of a `cut` one nobody says when it is one;
    a `strange` one leads out of the block of a global, or has structs of one type overlap, and is
    not followed. If it is `separate`,
    there are too many: pointers that it would matter for are taken to lead to different blocks.
    The `coarser` it is, the fewer conditions are kept apart."""

    pairs: tuple[Pair, ...] = ()
    cut: frozenset[Pair] = frozenset()
    is_root: bool = False
    strange: tuple[Pair, ...] = ()
    separate: bool = False
    coarser: int = 0

    def grown(self, wanted: tuple[Pair, ...], is_strange: Callable[[Pair], bool]) -> Relation:
        """With more pairs, and those that follow from them."""
        pairs = dict.fromkeys((*self.pairs, *wanted))
        strange = dict.fromkeys(self.strange)
        work = list(pairs)
        while work:
            y, x, d = work.pop()
            for y2, x2, d2 in list(pairs):
                for one, other, e in _follows((y, x, d), (y2, x2, d2)):
                    pair = ordered(one, other, e)
                    if pair is not None and pair not in pairs and is_strange(pair):
                        strange[pair] = None
                    elif pair is not None and pair not in pairs:
                        if len(pairs) > MOST_PAIRS:
                            break
                        pairs[pair] = None
                        work.append(pair)
        partners: dict[Name, int] = {}
        cut = set(self.cut)
        for pair in pairs:
            partners[pair[0]] = partners.get(pair[0], 0) + 1
            if partners[pair[0]] > MOST_PARTNERS:
                cut.add(pair)
        if len(pairs) > MOST_PAIRS:
            return Relation(is_root=self.is_root, separate=True, coarser=self.coarser)
        return replace(
            self, pairs=tuple(sorted(pairs, key=_pair_order)), cut=frozenset(cut),
            strange=tuple(sorted(strange, key=_pair_order)),
        )  # fmt: skip


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
    written: dict[CellName, None] = field(default_factory=dict)
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
        "classes",
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
        self.classes: tuple[int, ...] | None = None  # how large they are, of a finished summary
        self.types: dict[CellName, Type] = {}  # how cells are read or written
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
        for pair in relation.strange:
            self.apart((*pair, pair[2], None))
        for pair in relation.pairs:
            y, x, d = pair
            self._partners.setdefault(y, []).append((x, d, pair in relation.cut))

    def alone(self) -> Frame:
        """A frame for a finished summary, which has asked nothing yet."""
        found = Frame(self.program, self.procedure, self.relation, self.alias, self.calls)
        found.overlaps, found.sequence = dict(self.overlaps), self.sequence
        found.compared = dict(self.compared)
        found.theory.cuts = dict(self.theory.cuts)
        return found

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
            or self._rounds >= MOST_COARSER - self.relation.coarser
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
        if pair is None or self.related(y, x, distance):
            return
        if not self.is_refused(pair):
            self.notes.wanted[pair] = None

    def is_refused(self, pair: Pair) -> bool:
        """Is it taken for granted that two names are not so?"""
        if self.relation.separate:
            self.apart((pair[0], pair[1], -FAR, FAR, None))
        elif self.is_strange(pair):
            self.apart((*pair, pair[2], None))
        else:
            return False
        return True

    def is_strange(self, pair: Pair) -> bool:
        """Does it say that a pointer leads out of the block of a global, or that two structs of
        one type overlap?"""
        y, x, distance = pair
        if x.kind is Kind.GLOBAL:
            return not 0 <= distance <= self.program.globals[str(x.parts[0])].size
        types = [self.given_type(symbol) for symbol in (y, x)]
        targets = [type_.target for type_ in types if isinstance(type_, Pointer)]
        if distance == 0 or len(targets) < 2 or targets[0] != targets[1]:
            return False
        record = targets[0]
        if not isinstance(record, Record) or record.name not in self.program.records:
            return False
        return abs(distance) < self.program.records[record.name].size

    def given_type(self, symbol: Name) -> Type | None:
        """The type that the program gives to an unknown."""
        if symbol.kind is Kind.ARGUMENT:
            index: int = self.procedure.parameters[symbol.parts[0]]
            return self.procedure.variables[index].type
        if symbol.kind is not Kind.IN or not isinstance(symbol.parts[1], int):
            return None
        base, offset, view = symbol.parts
        return self.types.get((base, offset, scalar_bytes(view, self.program.model)))

    def note_type(self, cell: CellName, type_: Type) -> None:
        """How a cell is read or written: the first time counts, of pointers the first that tells
        where they lead."""
        if self.types.setdefault(cell, type_) == VOID_POINTER and isinstance(type_, Pointer):
            self.types[cell] = type_

    def may_be_one(self, one: CellName, other: CellName) -> bool:
        """Can two cells be the same, by their sizes, and by their types if these count?"""
        if self.alias is Alias.ALL or one[2] != other[2]:
            return one[2] == other[2]
        types = [self.types.get(cell, VOID_POINTER) for cell in (one, other)]
        return types[0] == types[1] or VOID_POINTER in types

    def apart(self, overlap: Overlap) -> None:
        """It is taken for granted that two names are not so."""
        self.overlaps[overlap] = None

    def apart_in_part(self, one: CellName, other: CellName) -> None:
        """It is taken for granted that two cells do not overlap without being one."""
        (y, offset, size), (x, start, length) = one, other
        if self.alias is Alias.ALL and not (y.kind is x.kind is Kind.GLOBAL) and size + length > 2:
            distance = start - offset
            exact = distance if length == size else None
            self.apart((y, x, distance - size + 1, distance + length - 1, exact))

    def recut(self, old: CellName, new: CellName) -> None:
        """What one cell held is in another one now: a part of it, or one that has it as a part."""
        self.notes.written[new] = None
        for before, after in tuple(self.notes.order):
            if before == old:
                self.stored(new, after)
            elif after == old:
                self.stored(before, new)

    def differ(self, compared: Compared) -> None:
        """It is taken for granted that two places have one address only if they are one."""
        self.compared[compared] = None

    def stored(self, before: CellName, after: CellName) -> None:
        """Something was stored into one cell and later into another."""
        self.notes.order[before, after] = None

    def bracket_of_cut(self, pair: Pair) -> Bracket:
        return PERHAPS if pair in self.relation.cut else ALWAYS
