"""Variables of static duration -> global blocks with their initial content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from precis.frontends.clang.body import Body, Whole, stripped
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.expressions import number
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.initialisers import Leaf, leaves, literal_bytes
from precis.frontends.clang.kinds import Kind
from precis.ir.location import Location
from precis.ir.program import Global, Piece
from precis.ir.types import U8, Array, Float, Int
from precis.ir.values import Term, subterms

_LONG: Final = 64


def lower_global(
    whole: Whole, unit: Unit, name: str, type_: CType, initialiser: Node | None, at: Location
) -> Global:
    """The block; raises Unlowered if its initial value cannot be told."""
    size, align = max(type_.size, 0), max(type_.align, 1)
    if type_.sort is Sort.ARRAY and type_.count is None:
        size = type_.inner.size  # a tentative array has one element (C17 6.9.2)
    pieces: list[Piece] = []
    if initialiser is not None:
        body = Body(whole, unit, "")
        for leaf in leaves(unit, type_, initialiser):
            pieces.extend(piece for piece in _pieces(body, leaf) if not _is_zero(piece))
            size = max(size, _end(leaf))
    kind = (
        whole.types.of(type_) if type_.is_complete or type_.sort is Sort.ARRAY else Array(U8, size)
    )
    return Global(name, kind, size, align, at, tuple(_compact(pieces)))


def _compact(pieces: list[Piece]) -> Iterator[Piece]:
    """Long rows of integers are written as plain bytes: tables can have millions of them."""
    row = bytearray()
    start = count = 0
    waiting: list[Piece] = []
    for piece in [*pieces, None]:
        data = _plain_bytes(piece) if piece is not None else None
        if data is None or piece is None or piece.offset != start + len(row):
            yield from [Piece(start, bytes(row))] if count > _LONG else waiting
            row, waiting, count = bytearray(), [], 0
        if piece is None:
            return
        if data is None:
            yield piece
            continue
        if not row:
            start = piece.offset
        row += data
        waiting.append(piece)
        count += 1


def _plain_bytes(piece: Piece) -> bytes | None:
    value = piece.value
    if isinstance(value, bytes) or value.op != "const" or piece.bits is not None:
        return None
    if not isinstance(value.type, Int) or not isinstance(value.data, int):
        return None
    unsigned = value.data & ((1 << value.type.bits) - 1)
    return unsigned.to_bytes(value.type.bits // 8, "little")


def _end(leaf: Leaf) -> int:
    """Where the leaf ends: beyond the record, for one of a flexible array member."""
    type_ = leaf.part.type
    if type_.sort is Sort.ARRAY and type_.count is None:
        return leaf.part.offset + len(literal_bytes(stripped(leaf.node), type_))
    return leaf.part.offset + (0 if leaf.part.bits else max(type_.size, 0))


def _is_zero(piece: Piece) -> bool:
    if isinstance(piece.value, bytes):
        return not any(piece.value)
    return piece.value.op == "const" and piece.value.data == 0


def _pieces(body: Body, leaf: Leaf) -> list[Piece]:
    part, node = leaf.part, leaf.node
    if part.type.sort is Sort.ARRAY:
        literal = stripped(node)
        if literal.kind != Kind.STRING_LITERAL:
            raise Unlowered("initialiser that is not constant")
        return [Piece(part.offset, literal_bytes(literal, part.type))]
    if part.type.sort is Sort.RECORD:
        return _record_pieces(body, leaf)
    return [Piece(part.offset, constant(body, node, part.type), part.bits)]


def _record_pieces(body: Body, leaf: Leaf) -> list[Piece]:
    """A record inside an initialiser can only be a compound literal."""
    node = leaf.node
    while node.kind in (Kind.PAREN_EXPR, Kind.UNEXPOSED_EXPR) and len(node.children) == 1:
        node = node.children[0]
    if node.kind != Kind.COMPOUND_LITERAL_EXPR:
        raise Unlowered("initialiser that is not constant")
    inner = leaves(body.unit, leaf.part.type, node.children[-1], leaf.part.offset)
    return [piece for part in inner for piece in _pieces(body, part)]


def constant(body: Body, node: Node, type_: CType) -> Term:
    """A constant expression, or an address constant (C17 6.6)."""
    if isinstance(body.types.decayed(type_), Int | Float):
        value = body.unit.evaluate(node) if node.type.is_scalar else None
        if value is not None and type_.bits <= 64:
            return number(body, value, type_)
        if isinstance(value, float):
            return number(body, value, type_)
    term = body.types.convert(body.value(node), type_)
    if body.builder.has_steps or any(t.op in ("var", "local") for t in subterms(term)):
        raise Unlowered("initialiser that is not constant")
    return term
