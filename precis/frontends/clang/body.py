"""A procedure while it is lowered: what all modules of the lowering share.

Expressions are lowered by the kind of their node. Each kind has up to three readings, found in
the tables below, which the modules fill: its `value` (a term; arrays and functions decay), its
`place` (where it lives, if it is an lvalue or a record), and its `effect` (its value is not
used). A term reads variables only when a step uses it, so a value that must outlive a later
assignment to one of its variables is kept in a temporary (`Body.kept`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, final

from precis.frontends.clang.builder import Builder, Dispatch, Scope
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind, Unary
from precis.frontends.clang.printed import Assembler
from precis.frontends.clang.types import Types
from precis.ir.instr import Assign, Copy, Load, ScopeBegin, ScopeEnd, Store, Volatility
from precis.ir.location import Location
from precis.ir.types import BitRange, Pointer, Type
from precis.ir.values import LEAVES, Term, binary, cast, const, offset, subterms, undef

_DEEP: Final = 40  # a term deeper than this is cut, so that nobody has to walk deep ones


@dataclass(frozen=True, slots=True)
class InVariable:
    index: int
    type: CType


@dataclass(frozen=True, slots=True)
class InMemory:
    address: Term
    type: CType
    bits: BitRange | None = None


Place: TypeAlias = InVariable | InMemory


class Whole(Protocol):
    """The program around: names for what lives outside procedures."""

    types: Types

    def function(self, unit: Unit, node: Node) -> str:
        """The procedure that a DECL_REF_EXPR names; it will be lowered too."""

    def variable(self, unit: Unit, node: Node) -> str:
        """The global block of the variable that a DECL_REF_EXPR names."""

    def static_local(self, unit: Unit, node: Node, function: str) -> str: ...
    def known_static(self, unit: Unit, key: int) -> str:
        """The block of a static local that has been declared, or nothing."""

    def literal(self, unit: Unit, node: Node) -> str: ...
    def literal_bytes(self, data: bytes, element: CType, at: Location) -> str: ...
    def constant_object(self, unit: Unit, node: Node) -> str:
        """The global block of a compound literal outside functions."""

    def labels(self, at: Location) -> Term:
        """The block that label addresses point into."""

    def label(self, unit: Unit, key: int) -> int:
        """The place of a label's byte in that block."""

    def assembler(self, at: Location) -> Term:
        """What stands for assembler code that may change memory: a function without a body."""

    def function_by_name(self, unit: Unit, name: str, type_: CType) -> Term:
        """The address of a library function that is called by another name.

        Raises Unlowered if there is none.
        """

    def function_named(self, unit: Unit, name: str) -> tuple[Term, CType]:
        """The address and type of a function that a file declares; raises Unlowered if none."""

    def is_defined(self, unit: Unit, name: str) -> bool:
        """Does a function of that name, as seen from a file, have a body in the program?"""

    def is_opaque(self, unit: Unit, type_: CType) -> bool:
        """Is it a record whose inside the library models differ from, seen from a file?"""


@final
class Body:
    """The procedure being lowered; without a name, a constant expression outside of any."""

    def __init__(self, whole: Whole, unit: Unit, name: str) -> None:
        self.whole = whole
        self.types = whole.types
        self.unit = unit
        self.name = name
        self.is_constant = not name
        self.builder = Builder()
        self.bindings: dict[int, Place] = {}
        self.sizes: dict[CType, Term] = {}  # of variable length arrays, in bytes
        self.breaks: list[tuple[int, Scope]] = []  # where they go, innermost last
        self.agains: list[tuple[int, Scope]] = []  # the same for continue
        self.switches: list[Dispatch] = []
        self.indirect: list[Dispatch] = []  # of goto *p
        self.result: Term | None = None  # where a record result goes
        self.result_type: CType | None = None
        self.extra: Term | None = None  # the extra arguments of a variadic procedure
        self.addressed: frozenset[int] = frozenset()
        self.has_labels = False  # among the statements lowered so far
        self.broken: dict[Node, str] = {}  # statements that clang refused, and why
        self.root: Node | None = None  # the function
        self.assembler: dict[Node, Assembler] | None = None  # read when first asked for
        self.generic_names: dict[Node, list[str]] | None = None  # likewise
        self.for_parts: dict[Node, tuple[bool, bool, bool]] = {}
        self.borrowed: list[int] = []  # objects that end with the full expression
        self.saved_borrowed: list[list[int]] = []
        self._depths: dict[Term, int] = {}

    # Reading expressions

    def value(self, node: Node) -> Term:
        """The value of a scalar expression, or the address that an array or function decays to."""
        found = VALUES.get(node.kind)
        if found is None:
            raise Unlowered(describe(node))
        return self.shallow(found(self, node), node)

    def place(self, node: Node) -> Place:
        found = PLACES.get(node.kind)
        if found is None:
            raise Unlowered(f"{describe(node)} as an lvalue")
        return found(self, node)

    def address(self, node: Node) -> Term:
        """The address of a record, array or other object in memory."""
        place = self.place(node)
        if isinstance(place, InVariable):
            raise Unlowered(f"address of {describe(node)}")
        return place.address

    def effect(self, node: Node) -> None:
        found = EFFECTS.get(node.kind)
        if found is not None:
            found(self, node)
        elif node.type.sort is Sort.RECORD:
            self.place(node)
        elif node.kind in VALUES:
            self.discard(self.value(node), node)
        else:
            raise Unlowered(describe(node))

    def statement(self, node: Node) -> None:
        if node in self.broken:
            raise Unlowered(self.broken[node])
        found = STATEMENTS.get(node.kind)
        if found is not None:
            found(self, node)
        elif node.kind < Kind.UNEXPOSED_STMT:
            expression_statement(self, node)
        else:
            raise Unlowered(describe(node))

    def branch(self, node: Node, then: int, otherwise: int) -> None:
        """Go to one of two blocks, by the truth of a condition."""
        CONDITION[0](self, node, then, otherwise)

    # Terms

    def at(self, node: Node) -> Location:
        return self.unit.place(node)

    def closing(self, node: Node) -> Location:
        """Where the text of a node ends: the closing brace of a block."""
        at = self.unit.place(node)
        return Location(at.file, at.end_line, at.end_column - 1) if at.end_line else at

    def discard(self, value: Term, node: Node) -> None:
        """Compute a value nobody uses: it may break an obligation."""
        if value.op not in LEAVES:
            self.keep(value, self.at(node))

    def keep(self, value: Term, at: Location) -> Term:
        """The value in a variable of its own."""
        index = self.builder.variable("", value.type, at)
        self.builder.step(Assign(index, value, at))
        return self.builder.var(index)

    def kept(self, value: Term, later: Iterable[Node], node: Node) -> Term:
        """The value, safe from assignments in expressions that are evaluated later."""
        written = {key for node in later for key in node.writes}
        if not written:
            return value
        places = (self.bindings.get(key) for key in written)
        indices = {place.index for place in places if isinstance(place, InVariable)}
        if any(t.op == "var" and t.data in indices for t in subterms(value)):
            return self.keep(value, self.at(node))
        return value

    def shallow(self, value: Term, node: Node) -> Term:
        if value.op in LEAVES:
            return value
        if self._depth(value) > _DEEP:
            return self.keep(value, self.at(node))
        return value

    def _depth(self, value: Term) -> int:
        found = self._depths.get(value)
        if found is None:
            below = [self._depth(arg) for arg in value.args if arg.op not in LEAVES]
            found = self._depths[value] = 1 + max(below, default=0)
        return found

    def temporary(self, type_: Type, at: Location) -> int:
        return self.builder.variable("", type_, at)

    def word(self, value: int) -> Term:
        return const(self.types.word, value)

    def as_word(self, value: Term) -> Term:
        return cast(self.types.word, value)

    def size_of(self, type_: CType) -> Term:
        """sizeof as a word; of a variable length array, as evaluated at its declaration."""
        if type_.sort is Sort.VLA:
            if type_ not in self.sizes:
                raise Unlowered(f"size of {type_}")
            return self.sizes[type_]
        return self.types.size(type_)

    def moved(self, pointer: Term, distance: int, type_: Type) -> Term:
        """The pointer moved by a number of bytes, as a pointer of another type."""
        while pointer.op == "cast" and isinstance(pointer.args[0].type, Pointer):
            pointer = pointer.args[0]
        if pointer.op == "offset" and pointer.args[1].op == "const":
            inner = pointer.args[1].data
            assert isinstance(inner, int)
            return self.moved(pointer.args[0], inner + distance, type_)
        return offset(cast(type_, pointer), self.word(distance))

    def indexed(
        self, pointer: Term, count: Term, element: CType, type_: Type, sign: int = 1
    ) -> Term:
        """The pointer moved by a number of elements, as a pointer of another type."""
        count, size = self.as_word(count), self.size_of(element)
        if size.op != "const":
            count, size = binary("mul", count, size), self.word(1)
        assert isinstance(size.data, int)
        scale = sign * size.data
        if count.op == "const":
            assert isinstance(count.data, int)
            return self.moved(pointer, count.data * scale, type_)
        return offset(cast(type_, pointer), count, scale)

    # Memory

    def load(self, place: Place, at: Location) -> Term:
        """What is there; an array or function decays to its address."""
        if isinstance(place, InVariable):
            return self.builder.var(place.index)
        type_ = place.type
        if type_.sort in (Sort.ARRAY, Sort.VLA, Sort.FUNCTION):
            return cast(self.types.decayed(type_), place.address)
        if not type_.is_scalar:
            raise Unlowered(f"value of type {type_}")
        index = self.temporary(self.types.of(type_), at)
        wanted = self.types.of(type_)
        self.builder.step(Load(index, place.address, wanted, at, place.bits, _volatility(type_)))
        return self.builder.var(index)

    def store(self, place: Place, value: Term, at: Location) -> None:
        if isinstance(place, InVariable):
            self.builder.assign(place.index, value, at)
        else:
            volatility = _volatility(place.type)
            self.builder.step(Store(place.address, value, at, place.bits, volatility))

    def copy(self, target: Term, source: Term, type_: CType, at: Location) -> None:
        if target is not source:
            self.builder.step(Copy(target, source, self.size_of(type_), at))

    def forget(self, place: Place, at: Location) -> None:
        """A declaration without initialiser makes the value indeterminate (C17 6.2.4).

        An object is so since its scope began, unless a jump back may come here again; its
        block stays the same one then, so the content of a fresh block is copied into it.
        """
        if isinstance(place, InVariable):
            kind = self.builder.variables[place.index].type
            self.builder.step(Assign(place.index, undef(kind), at))
        elif self.has_labels and place.type.sort is not Sort.VLA:
            type_ = place.type
            fresh = self.builder.object("", self.types.of(type_), type_.size, type_.align, at)
            self.builder.step(ScopeBegin(fresh, at))
            self.copy(place.address, self.builder.local(fresh), type_, at)
            self.builder.step(ScopeEnd(fresh, at))

    # Objects that end with the full expression

    def borrow(self, type_: CType, at: Location) -> int:
        """A new such object."""
        number = self.builder.object("", self.types.of(type_), type_.size, type_.align, at)
        self.builder.step(ScopeBegin(number, at))
        self.borrowed.append(number)
        return number

    def end_borrowed(self, at: Location) -> None:
        for number in reversed(self.borrowed):
            self.builder.step(ScopeEnd(number, at))
        self.borrowed.clear()

    def full(self, node: Node) -> Term:
        """The value of a full expression."""
        value = self.value(node)
        self.end_borrowed(self.at(node))
        return value

    def pointer(self, type_: CType) -> Pointer:
        return self.types.pointer_to(type_)


def _volatility(type_: CType) -> Volatility:
    return Volatility.VOLATILE if type_.volatile else Volatility.PLAIN


VALUES: dict[int, Callable[[Body, Node], Term]] = {}
PLACES: dict[int, Callable[[Body, Node], Place]] = {}
EFFECTS: dict[int, Callable[[Body, Node], None]] = {}
STATEMENTS: dict[int, Callable[[Body, Node], None]] = {}
CONDITION: list[Callable[[Body, Node, int, int], None]] = []


def expression_statement(body: Body, node: Node) -> None:
    body.effect(node)
    body.end_borrowed(body.at(node))


def describe(node: Node) -> str:
    """A node that is not known, in words."""
    try:
        name = Kind(node.kind).name.lower().replace("_", " ")
    except ValueError:
        name = f"construct {node.kind}"
    return f"{name} {node.name}".strip()


def stripped(node: Node) -> Node:
    """Without parentheses and __extension__."""
    while node.kind == Kind.PAREN_EXPR or _is_extension(node):
        node = node.children[-1]
    return node


def _is_extension(node: Node) -> bool:
    return node.kind == Kind.UNARY_OPERATOR and node.operator == Unary.EXTENSION
