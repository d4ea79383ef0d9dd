"""Initialisers (C17 6.7.9), from the form in which they are written.

`leaves` finds for each expression of an initialiser the part of the object that it initialises:
braces may be left out, designators jump, and a later initialiser of a part overrides an earlier
one. Parts without an expression are zero, but padding stays indeterminate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from precis.frontends.clang.body import Body, InMemory, Place, stripped
from precis.frontends.clang.c_types import CField, CType, Sort
from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind
from precis.frontends.clang.literals import string_bytes
from precis.frontends.clang.types import bit_range
from precis.frontends.clang.zeroing import ZeroBits, zeroes
from precis.ir.instr import Copy, Fill, Store
from precis.ir.location import Location
from precis.ir.types import I32, BitRange, Int
from precis.ir.values import Term, const, global_


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an object: its type, offset in bytes, and bits if it is a bit-field."""

    type: CType
    offset: int
    bits: BitRange | None = None


@dataclass(frozen=True, slots=True)
class Leaf:
    part: Part
    node: Node


def leaves(unit: Unit, type_: CType, node: Node, offset: int = 0) -> list[Leaf]:
    """What each expression in an initialiser initialises, in order."""
    found: dict[tuple[int, BitRange | None], Leaf] = {}
    for leaf in _of(unit, Part(type_, offset), node):
        key = (leaf.part.offset, leaf.part.bits)
        found.pop(key, None)  # overridden; the new one comes later in the order
        found[key] = leaf
    return list(found.values())


@final
class _Position:
    """The next part to initialise, in an object whose braces are open or left out."""

    __slots__ = ("fields", "index", "part")

    def __init__(self, part: Part) -> None:
        self.part = part
        self.index = 0
        self.fields: list[CField] = []
        if part.type.sort is Sort.RECORD:
            self.fields = [f for f in part.type.fields if f.name or f.width is None]

    @property
    def is_full(self) -> bool:
        if self.part.type.sort is Sort.RECORD:
            return self.index >= len(self.fields)
        count = self.part.type.count
        return count is not None and self.index >= count

    def current(self) -> Part:
        if self.part.type.sort is not Sort.RECORD:
            element = self.part.type.inner
            return Part(element, self.part.offset + self.index * element.size)
        field = self.fields[self.index]
        bits = None if field.width is None else bit_range(field.offset, field.width)
        return Part(field.type, self.part.offset + field.offset // 8, bits)

    def advance(self) -> None:
        union = self.part.type.sort is Sort.RECORD and self.part.type.is_union
        self.index = len(self.fields) if union else self.index + 1


def _of(unit: Unit, part: Part, node: Node) -> Iterator[Leaf]:
    """The leaves of one initialiser, in braces or not."""
    if node.kind != Kind.INIT_LIST_EXPR:
        yield Leaf(part, node)
        return
    items = [item for item in node.children if item.kind != Kind.TYPE_REF]
    if part.type.is_scalar or (items and _is_string_for(part.type, items[0])):
        if items:
            yield from _of(unit, part, items[0])
        return
    if part.type.sort not in (Sort.ARRAY, Sort.RECORD):
        raise Unlowered(f"initialiser of type {part.type}")
    path = [_Position(part)]
    for item in items:
        yield from _item(unit, path, item)


def _item(unit: Unit, path: list[_Position], item: Node) -> Iterator[Leaf]:
    """One element of a braced list; `path` leads to where it goes, and is moved on."""
    if item.kind == Kind.UNEXPOSED_EXPR and item.type.sort is Sort.VOID:
        yield from _designated(unit, path, item)
        return
    while path[-1].is_full:
        if len(path) == 1:
            return  # too many; clang has warned
        path.pop()
        path[-1].advance()
    part = path[-1].current()
    while not _takes(part.type, item):
        path.append(_Position(part))
        if path[-1].is_full:
            raise Unlowered("initialiser of an empty object")
        part = path[-1].current()
    yield from _of(unit, part, item)
    path[-1].advance()


def _takes(type_: CType, item: Node) -> bool:
    """Does the item initialise the whole part, rather than its first member?"""
    if type_.is_scalar or type_.sort is Sort.OTHER or item.kind == Kind.INIT_LIST_EXPR:
        return True
    if type_.sort is Sort.RECORD:
        return item.type.sort is Sort.RECORD and item.type.key & ~7 == type_.key & ~7
    return _is_string_for(type_, item)


def _is_string_for(type_: CType, item: Node) -> bool:
    if type_.sort is not Sort.ARRAY or type_.inner.sort is not Sort.INT:
        return False
    return stripped(item).kind == Kind.STRING_LITERAL


# Designators


def _designated(unit: Unit, path: list[_Position], item: Node) -> Iterator[Leaf]:
    """`.a[1].b = value`, `[1 ... 3] = value`: for each of the parts meant."""
    designators, value = item.children[:-1], item.children[-1]
    del path[1:]
    steps = _steps(unit, item, designators, path[0].part.type)
    yield from _follow(unit, path, steps, value)


def _follow(
    unit: Unit, path: list[_Position], steps: list[tuple[int, int]], value: Node
) -> Iterator[Leaf]:
    depth = len(path)
    (low, high), rest = steps[0], steps[1:]
    for index in range(low, high + 1):
        del path[depth:]
        path[-1].index = index
        part = path[-1].current()
        if rest:
            path.append(_Position(part))
            yield from _follow(unit, path, rest, value)
        elif _takes(part.type, value):
            yield from _of(unit, part, value)
            path[-1].advance()
        else:
            path.append(_Position(part))
            yield from _item(unit, path, value)


def _steps(unit: Unit, item: Node, designators: list[Node], type_: CType) -> list[tuple[int, int]]:
    """For each designator, the indices meant: of members or elements, first and last."""
    steps: list[tuple[int, int]] = []
    position = 0
    while position < len(designators):
        designator = designators[position]
        if designator.kind == Kind.MEMBER_REF:
            fields = _Position(Part(type_, 0)).fields
            index = _member_index(fields, designator)
            steps.append((index, index))
            type_ = fields[index].type
            position += 1
            continue
        low = high = _index(unit, designator)
        type_ = type_.inner
        following = designators[position + 1] if position + 1 < len(designators) else None
        if (
            following is not None
            and following.kind != Kind.MEMBER_REF
            and _is_range(unit, item, type_, len(steps))
        ):
            high = _index(unit, following)
            position += 1
        steps.append((low, high))
        position += 1
    return steps


def _member_index(fields: list[CField], designator: Node) -> int:
    for index, field in enumerate(fields):
        if field.name == designator.name if designator.name else field.type is designator.type:
            return index
    raise Unlowered(f"designator .{designator.name}")


def _index(unit: Unit, node: Node) -> int:
    value = unit.evaluate(node)
    if not isinstance(value, int):
        raise Unlowered("designator that is not constant")
    return value


def _is_range(unit: Unit, item: Node, element: CType, number: int) -> bool:
    """Is designator `number` of the form [a ... b]? libclang shows [a][b] alike."""
    if element.sort is not Sort.ARRAY:
        return True
    groups: list[bool] = []
    depth = 0
    for token in unit.tokens(item):
        if token == "=" and depth == 0:
            break
        depth += (token == "[") - (token == "]")
        if token == "[" and depth == 1:
            groups.append(False)
        elif token == "..." and groups:
            groups[-1] = True
        elif token == "." and depth == 0:
            groups.append(False)
    return number < len(groups) and groups[number]


# Initialisers of locals


def initialise(body: Body, place: Place, node: Node, at: Location) -> None:
    """Give a local object its initial value."""
    type_ = place.type
    if type_.is_scalar:
        while node.kind == Kind.INIT_LIST_EXPR:
            if not node.children:
                kind = body.types.of(type_)
                body.store(place, body.types.cast(const(I32, 0), kind), at)
                return
            node = node.children[0]
        body.store(place, body.types.convert(body.value(node), type_), at)
        return
    assert isinstance(place, InMemory)
    found = leaves(body.unit, type_, node)
    covered = [(_first_bit(leaf.part), _last_bit(leaf.part)) for leaf in found]
    for zero in zeroes(type_, covered):
        _zero(body, place.address, zero, at)
    values: dict[Node, Term] = {}
    for leaf in found:
        _initialise_part(body, place.address, leaf, values)


def _first_bit(part: Part) -> int:
    return 8 * part.offset + (part.bits.shift if part.bits else 0)


def _last_bit(part: Part) -> int:
    return _first_bit(part) + (part.bits.width if part.bits else 8 * part.type.size)


def _zero(body: Body, base: Term, zero: ZeroBits | tuple[int, int], at: Location) -> None:
    if isinstance(zero, ZeroBits):
        kind = body.types.of(zero.type)
        address = body.moved(base, zero.offset, body.pointer(zero.type))
        body.builder.step(Store(address, const(kind, 0), at, zero.bits))
        return
    offset, size = zero
    address = body.moved(base, offset, base.type)
    body.builder.step(Fill(address, const(Int(8, False), 0), body.word(size), at))


def _initialise_part(body: Body, base: Term, leaf: Leaf, values: dict[Node, Term]) -> None:
    """Store one part; `values` are those computed before, since [a ... b] means one evaluation."""
    part, node = leaf.part, leaf.node
    at = body.at(node)
    address = body.moved(base, part.offset, body.pointer(part.type))
    if _is_string_for(part.type, node):
        _store_string(body, address, part.type, stripped(node), at)
    elif part.type.sort is Sort.RECORD:
        body.copy(address, body.address(node), part.type, at)
    elif part.type.is_scalar:
        if node not in values:
            values[node] = body.value(node)
            if node.writes or node.kind == Kind.CALL_EXPR:
                values[node] = body.keep(values[node], at)
        value = body.types.convert(values[node], part.type)
        body.store(InMemory(address, part.type, part.bits), value, at)
    else:
        raise Unlowered(f"initialiser of type {part.type}")


def literal_bytes(node: Node, type_: CType) -> bytes:
    """What a string literal puts into an array; all of its own if that has no length."""
    count = type_.count if type_.count is not None else node.type.count
    return string_bytes(node.name, node.type.inner.size, count or 0)


def _store_string(body: Body, address: Term, type_: CType, node: Node, at: Location) -> None:
    data = literal_bytes(node, type_)
    element = type_.inner.size
    used = (len(data.rstrip(b"\0")) + element - 1) // element * element
    if used:
        name = body.whole.literal_bytes(data[: used + element], type_.inner, at)
        source = global_(name, body.pointer(type_.inner))
        size = min(used + element, len(data))
        body.builder.step(Copy(address, source, body.word(size), at))
        used = size
    if used < len(data):
        rest = body.moved(address, used, address.type)
        zero = const(Int(8, False), 0)
        body.builder.step(Fill(rest, zero, body.word(len(data) - used), at))
