"""What belongs to one procedure while it is analysed: its atoms, and which names may be one.

Two pointers that callers provide may lead to the same memory. That matters only if something is
written through the one and read, or written in no fixed order, through the other. So a procedure
is first analysed with every pointer by itself, and what would have mattered is noted; then again
with those pointers *related*, until nothing new is noted. In a frame where y is related to x, an
unknown y is x where the two are the same, and y itself where they are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, TypeAlias, final

from precis.domains.heap.guards import ALWAYS, FALSE, PERHAPS, TRUE, Bracket
from precis.domains.heap.kinds import has_member, may_alias, may_overlap, members
from precis.domains.heap.names import (
    NULL,
    Kind,
    Name,
    is_from_outside,
    is_given,
    is_region,
    name,
    pointer,
    type_of,
    unknown,
)
from precis.domains.heap.sets import Values, under, union
from precis.domains.heap.theory import MOST_INLINED_ATOMS, Theory
from precis.ir.loops import edges, weak_order
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import VOID_POINTER, Int, Pointer, Record, Type, scalar_bytes

Pair: TypeAlias = tuple[Name, Name, int]  # y, x, d: y may be x + d; x comes first in order
CellName: TypeAlias = tuple[Name, int, int]
Case: TypeAlias = tuple[Any, int, int]  # the key of an input, and between which numbers it is
# y leads between so many and so many bytes behind x, and not just as many as the last says:
# cells that were used overlap without being one. A summary does not hold for such callers, where
# the cells are used at all: a guard over the entry goes with it. From the code of the procedure to
# itself: it does not hold where the guard does.
Overlap: TypeAlias = tuple[Name, Name, int, int, int | None]
# A place, so many bytes behind a name, whose address was compared with that of another, or of a
# block made since (None). In different blocks they are taken to differ, which holds for callers
# whose places lie inside their blocks.
Compared: TypeAlias = tuple[Name, int, Name | None, int]

FAR: Final = 1 << 62  # more bytes than there are
MODELS: Final = "/precis/frontends/models/"  # in the path of a file: it is of the library
MOST_PAIRS: Final = 60  # of names that may be the same
MOST_COARSER: Final = 4
MOST_ROUNDS: Final = 3  # of loops whose conditions are not settled
MOST_ASKED: Final = 24  # atoms that tell when an overlap matters
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
    """The pairs of a frame: an entry of the domain. Of a `cut` one nobody says when it is one. If
    it is `separate`, there are too many: pointers that it would matter for are taken to lead to
    different blocks. The `coarser` it is, the fewer conditions are kept apart. It holds where
    `inputs` are in these ranges."""

    pairs: tuple[Pair, ...] = ()
    cut: frozenset[Pair] = frozenset()
    is_root: bool = False
    separate: bool = False
    coarser: int = 0
    inputs: tuple[Case, ...] = ()

    def grown(self, wanted: tuple[Pair, ...]) -> Relation:
        """With more pairs. What follows from them (y is x, z is y) needs no pair of its own: names
        are resolved one after the other, and where it matters for two names that a third one
        leads to both, it is wanted."""
        pairs = sorted({*self.pairs, *wanted}, key=_pair_order)
        if len(pairs) > MOST_PAIRS:
            return replace(self, pairs=(), cut=frozenset(), separate=True)
        partners: dict[Name, int] = {}
        cut = set(self.cut)
        for pair in pairs:
            partners[pair[0]] = partners.get(pair[0], 0) + 1
            if partners[pair[0]] > MOST_PARTNERS:
                cut.add(pair)
        return replace(self, pairs=tuple(pairs), cut=frozenset(cut))

    @property
    def is_coarse(self) -> bool:
        """Were its conditions too large, even with few of them kept apart?"""
        return self.coarser > 1


def _pair_order(pair: Pair) -> tuple[object, ...]:
    return (pair[0].order, pair[1].order, pair[2])


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
    order: dict[tuple[CellName, CellName], int] = field(default_factory=dict)  # stores in turn


@final
class Frame:
    """One procedure, with one relation. An `inlined` one shares the names and guards of the
    procedure that it is analysed for; `owner` tells its own names from those of other calls."""

    __slots__ = (
        "_atoms",
        "_kinds",
        "_leaving",
        "_partners",
        "_rounds",
        "_unknowns",
        "alias",
        "assumptions",
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
        "recursive",
        "relation",
        "sequence",
        "texts",
        "theory",
        "told",
        "turns",
        "types",
        "widened",
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
        if calls is Calls.INLINE:
            self.theory = Theory(MOST_INLINED_ATOMS)
        else:
            self.theory = Theory(is_first=relation.coarser == 0)
        self.notes = Notes()
        self.overlaps: dict[Overlap, int] = {}
        self.compared: dict[Compared, None] = {}
        self.sequence: tuple[CellName, ...] = ()  # the order in which a summary writes
        self.texts: dict[Name, None] = {}  # from which single bytes were read
        self.told: dict[Any, int] = {}  # of calls: how much less of a summary they are told
        self.classes: tuple[int, ...] | None = None  # how large they are, of a finished summary
        self.types: dict[CellName, Type] = {}  # how cells are read or written
        if within is not None:
            root, self.owner = within
            self.theory, self.types = root.theory, root.types
        self._unknowns: dict[Name, Values] = {}
        self._partners: dict[Name, list[tuple[Name, int, bool]]] = {}
        self._kinds: dict[tuple[Record, Record], bool] = {}
        self._atoms = self._rounds = 0
        self.recursive = recursive
        order = weak_order(edges(procedure))
        self.heads: dict[int, tuple[int, ...]] = {}  # of the loops around a block, outermost first
        for at, block in enumerate(order.blocks):
            for place in range(at, at + order.span.get(block, 0)):
                inside = order.blocks[place]
                self.heads[inside] = (*self.heads.get(inside, ()), block)
        self._leaving: dict[int, frozenset[int]] = {}
        self.widened: dict[Any, int] = {}  # how often conditions of a set grew at heads of loops
        self.turns = 0  # of loops, that were kept apart
        self.assumptions: dict[int, None] = {}  # that were made on the way
        for pair in relation.pairs:
            y, x, d = pair
            self._partners.setdefault(y, []).append((x, d, pair in relation.cut))

    def alone(self) -> Frame:
        """A frame for a finished summary, which has asked nothing yet: its overlaps neither."""
        found = Frame(self.program, self.procedure, self.relation, self.alias, self.calls)
        found.sequence, found.compared = self.sequence, dict(self.compared)
        found.theory.cuts = dict(self.theory.cuts)
        found.theory.guards.allow(len(self.theory.guards))  # they all fit
        return found

    def begin(self) -> None:
        """The procedure is about to be run through."""
        self._atoms = len(self.theory.atoms)
        self.theory.begin()
        self.widened = {}
        self.turns = 0

    def is_unsettled(self) -> bool:
        """Did new atoms come up that loops may be seen more sharply with?"""
        if (
            self.calls is Calls.INLINE
            or not (self.heads or self.recursive)
            or len(self.theory.atoms) == self._atoms
            or self._rounds >= min(MOST_ROUNDS, MOST_COARSER - self.relation.coarser)
        ):
            return False
        self._rounds += 1
        return True

    def may_leave(self, head: int, block: int) -> bool:
        """Can control leave a loop from a block on, before it is back at the head?"""
        if head not in self.heads.get(block, ()):
            return True
        if block == head:
            return False
        found = self._leaving.get(head)
        if found is None:
            following = edges(self.procedure)
            inside = {b for b, around in self.heads.items() if head in around and b != head}
            seen = {
                b for b in inside if any(head not in self.heads.get(to, ()) for to in following[b])
            }
            work = list(seen)
            while work:
                this = work.pop()
                more = {b for b in inside - seen if this in following[b]}
                seen |= more
                work.extend(more)
            found = self._leaving[head] = frozenset(seen)
        return block in found

    def is_repeated(self, key: tuple[Any, ...]) -> bool:
        """Is the place that a key begins with, (procedure, block, ...), in a loop?"""
        return key[1] in self.heads

    def input_range(self, key: tuple[Any, ...], range_: tuple[int, int]) -> tuple[int, int]:
        """Between which numbers an input is that is read here."""
        given = {known: (low, high) for known, low, high in self.relation.inputs}
        return given.get(key, range_)

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
        parts: list[Values] = [{NULL: null}]
        left = guards.opposite(null)
        for x, distance, is_cut in self._partners.get(symbol, ()):
            same = PERHAPS if is_cut else self.theory.same(symbol, x, distance)
            if guards.possible(same.may):
                parts.append(self._moved(x, distance, guards.all_of(left, same)))
                left = guards.all_of(left, guards.opposite(same))
        parts.append({pointer(symbol): left})
        return {value: b for value, b in union(guards, parts).items() if b.may != FALSE}

    def _moved(self, x: Name, distance: int, when: Bracket) -> Values:
        """Where a pointer leads that is `distance` bytes behind x: x may be another one."""
        if x.kind is Kind.GLOBAL:
            return {pointer(x, distance): when}
        guards = self.theory.guards
        targets = {v.moved(distance): b for v, b in self.unknown(x).items() if v != NULL}
        found = under(guards, targets, when)
        return {value: b for value, b in found.items() if guards.possible(b.may)}

    def related(self, y: Name, x: Name, distance: int) -> bool:
        """Is it known that two names may be the same at this distance?"""
        pair = ordered(y, x, distance)
        return pair is None or any(
            other is pair[1] and d == pair[2] for other, d, _ in self._partners.get(pair[0], ())
        )

    def want(self, y: Name, x: Name, distance: int, when: int) -> None:
        """It mattered, where a guard holds, whether two names are the same at this distance."""
        pair = ordered(y, x, distance)
        if pair is None or self.related(y, x, distance):
            return
        if not self.is_refused(pair, when):
            self.notes.wanted[pair] = None

    def want_one(self, one: CellName, other: CellName, when: int) -> None:
        """It mattered, where a guard holds, whether two cells are one."""
        pair = self.unsettled(one, other, when)
        if pair is not None:
            self.notes.wanted[pair] = None

    def unsettled(self, one: CellName, other: CellName, when: int) -> Pair | None:
        """What has to be related so that it is known whether two cells are one; None if it is
        known, or taken for granted that they are not."""
        pair = ordered(one[0], other[0], other[1] - one[1])
        if pair is None or self.related(*pair):
            return None
        if self._differ_in_type(one, other):
            self.apart((*pair, pair[2], None), when)
            return None
        return None if self.is_refused(pair, when) else pair

    def _differ_in_type(self, one: CellName, other: CellName) -> bool:
        """Are two cells used by types that C does not let one cell be used by?"""
        types = [self.types.get(cell, VOID_POINTER) for cell in (one, other)]
        return not may_alias(types[0], types[1])

    def is_refused(self, pair: Pair, when: int) -> bool:
        """Is it taken for granted that two names are not so?"""
        if self.relation.separate:
            self.apart((pair[0], pair[1], -FAR, FAR, None), when)
        elif self.is_strange(pair):
            self.apart((*pair, pair[2], None), when)
        else:
            return False
        return True

    def is_strange(self, pair: Pair) -> bool:
        """Does it say that a pointer leads out of a global, or into one of the library, or comes
        from outside, that two structs overlap, of one type or of types that do not contain each
        other, or that a number or a pointer is in a struct where no such member is?"""
        y, x, distance = pair
        if x.kind is Kind.GLOBAL:
            known = self.program.globals[str(x.parts[0])]
            is_own = MODELS in known.at.file
            if is_own or not 0 <= distance <= known.size or is_from_outside(y):
                return True
        one, other = self._target(y), self._target(x)
        match one, other:
            case Int() | Pointer(), Record(name=whole):
                return not has_member(self.program, whole, distance, one)
            case Record(name=whole), Int() | Pointer():
                return not has_member(self.program, whole, -distance, other)
            case Int() | Pointer(), Int() | Pointer():
                return not may_alias(one, other)
        if not isinstance(one, Record) or not isinstance(other, Record):
            return False
        if one != other:
            return not self._may_overlap(one, other)
        if distance == 0 or one.name not in self.program.records:
            return False
        return abs(distance) < self.program.records[one.name].size

    def _target(self, symbol: Name) -> Type | None:
        """The type of what a name leads to, as the program gives it."""
        if symbol.kind is Kind.GLOBAL:
            return self.program.globals[str(symbol.parts[0])].type
        type_ = self.given_type(symbol)
        return type_.target if isinstance(type_, Pointer) else None

    def _may_overlap(self, one: Record, other: Record) -> bool:
        found = self._kinds.get((one, other))
        if found is None:
            found = self._kinds[one, other] = may_overlap(self.program, one, other)
        return found

    def given_type(self, symbol: Name) -> Type | None:
        """The type that the program gives to an unknown."""
        if is_given(symbol):
            return None
        if symbol.kind is Kind.ARGUMENT:
            index: int = self.procedure.parameters[symbol.parts[0]]
            return self.procedure.variables[index].type
        if symbol.kind is not Kind.IN or not isinstance(symbol.parts[1], int):
            return None
        base, offset, view = symbol.parts
        known = self.types.get((base, offset, scalar_bytes(view, self.program.model)))
        return self._declared(base, offset) if known in (None, VOID_POINTER) else known

    def _declared(self, base: Name, offset: int) -> Type | None:
        """The type of a pointer that is a member of the struct that a name leads to."""
        whole = self._target(base)
        if not isinstance(whole, Record):
            return None
        found = members(self.program, whole.name, offset)
        return found[0] if len(found) == 1 and isinstance(found[0], Pointer) else None

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

    def apart(self, overlap: Overlap, when: int) -> None:
        """It is taken for granted, where a guard holds, that two names are not so."""
        self.overlaps[overlap] = self._more(self.overlaps.get(overlap, FALSE), when)

    def take_blocks_apart(self, y: Name, x: Name, when: int) -> None:
        """It is taken for granted that two names lead into different blocks, or to one place if
        it is known where they do."""
        if self.theory.guards.possible(when):
            exact = 0 if self.related(y, x, 0) else None
            self.apart((y, x, -FAR, FAR, exact), when)

    def _more(self, known: int, when: int) -> int:
        """Where one of two guards holds, of which the second need not be over the entry."""
        guards = self.theory.guards
        if known == TRUE or guards.either(known, when) == known:
            return known
        when = self.theory.at_entry(when)
        if len(guards.support(when)) > MOST_ASKED:
            when = TRUE
        return guards.either(known, when)

    def bar(self, when: int) -> bool:
        """The summary does not hold where a guard over the entry does; False if that asks too
        much. (Its own code leads to itself.)"""
        if len(self.theory.guards.support(when)) > MOST_ASKED:
            return False
        code = name(Kind.CODE, self.procedure.name)
        known = self.overlaps.get((code, code, 0, 0, None), FALSE)
        self.overlaps[code, code, 0, 0, None] = self.theory.guards.either(known, when)
        return True

    def apart_in_part(self, one: CellName, other: CellName, when: int) -> None:
        """It is taken for granted that two cells do not overlap without being one."""
        (y, offset, size), (x, start, length) = one, other
        if self.alias is Alias.ALL and not (y.kind is x.kind is Kind.GLOBAL) and size + length > 2:
            distance = start - offset
            exact = distance if length == size else None
            self.apart((y, x, distance - size + 1, distance + length - 1, exact), when)

    def recut(self, old: CellName, new: CellName) -> None:
        """What one cell held is in another one now: a part of it, or one that has it as a part."""
        self.notes.written[new] = None
        for (before, after), when in tuple(self.notes.order.items()):
            if before == old:
                self.stored(new, after, when)
            elif after == old:
                self.stored(before, new, when)

    def differ(self, compared: Compared) -> None:
        """It is taken for granted that two places have one address only if they are one."""
        self.compared[compared] = None

    def stored(self, before: CellName, after: CellName, when: int) -> None:
        """Something was stored into one cell and later into another, where a guard holds."""
        known = self.notes.order.get((before, after), FALSE)
        self.notes.order[before, after] = self.theory.guards.either(known, when)

    def bracket_of_cut(self, pair: Pair) -> Bracket:
        return PERHAPS if pair in self.relation.cut else ALWAYS
