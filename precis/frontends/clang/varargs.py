"""Variable arguments.

The caller of a variadic procedure lays its extra arguments into a block of 8-byte slots (a long
double and a 128-bit integer take 16, a record its size rounded up) and passes the block's
address last. The first pointer-size bytes of a va_list point into that block.
"""

from __future__ import annotations

from collections.abc import Sequence

from precis.frontends.clang.body import Body, InMemory
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind
from precis.frontends.clang.library import library, text
from precis.ir.instr import Copy, Load, ScopeBegin, Store
from precis.ir.location import Location
from precis.ir.types import U8, VOID_POINTER, Array, DataModel, Pointer
from precis.ir.values import Term, cast

_LVALUES = frozenset(
    {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.ARRAY_SUBSCRIPT_EXPR, Kind.UNARY_OPERATOR}
)

_POINTER_TO_POINTER = Pointer(VOID_POINTER)


def slot_bytes(type_: CType) -> int:
    return max(8, (type_.size + 7) // 8 * 8)


def is_va_arg(body: Body, node: Node) -> bool:
    """Is this UNEXPOSED_EXPR a va_arg? libclang shows the list as its only operand."""
    child = node.children[-1] if node.children else node
    if child.type.is_va_list:
        return not node.type.is_va_list and node.type.sort is not Sort.VOID
    if body.types.model is DataModel.LP64 or child.kind not in _LVALUES:
        return False
    # Where a va_list is a char *, a va_arg differs from a conversion in naming no variable.
    lib = library()
    written = text(lib.clang_getTypeSpelling(lib.clang_getCursorType(child.cursor)))
    return written.endswith("va_list") and not body.unit.referenced(node).first


def _cursor(body: Body, node: Node, at: Location) -> Term:
    """The pointer that a va_list holds."""
    if node.type.is_va_list:
        index = body.temporary(VOID_POINTER, at)
        address = cast(_POINTER_TO_POINTER, body.value(node))
        body.builder.step(Load(index, address, VOID_POINTER, at))
        return body.builder.var(index)
    return body.keep(cast(VOID_POINTER, body.load(body.place(_bare(node)), at)), at)


def _set_cursor(body: Body, node: Node, value: Term, at: Location) -> None:
    if node.type.is_va_list:
        address = cast(_POINTER_TO_POINTER, body.value(node))
        body.builder.step(Store(address, value, at))
        return
    place = body.place(_bare(node))
    body.store(place, cast(body.types.of(node.type), value), at)


def _bare(node: Node) -> Node:
    while node.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR):
        node = node.children[-1]
    return node


def va_arg_place(body: Body, node: Node) -> InMemory:
    """The next argument; the list is moved past it."""
    at = body.at(node)
    operand = node.children[-1]
    here = _cursor(body, operand, at)
    step = slot_bytes(node.type)
    _set_cursor(body, operand, body.moved(here, step, VOID_POINTER), at)
    return InMemory(cast(body.pointer(node.type), here), node.type)


def va_start(body: Body, arguments: Sequence[Node], at: Location) -> None:
    if body.extra is None:
        raise Unlowered("va_start in a function without variable arguments")
    _set_cursor(body, arguments[0], body.extra, at)


def va_copy(body: Body, arguments: Sequence[Node], at: Location) -> None:
    _set_cursor(body, arguments[0], _cursor(body, arguments[1], at), at)


def laid_out(body: Body, extra: Sequence[tuple[Term, CType]], at: Location) -> int:
    """An object with the extra arguments of a call, begun; the caller ends it."""
    size = sum(slot_bytes(type_) for _, type_ in extra)
    number = body.builder.object("", Array(U8, size), size, 16, at)
    body.builder.step(ScopeBegin(number, at))
    offset = 0
    for value, type_ in extra:
        address = body.moved(body.builder.local(number), offset, body.pointer(type_))
        if type_.sort is Sort.RECORD:
            body.builder.step(Copy(address, value, body.size_of(type_), at))
        else:
            body.builder.step(Store(address, value, at))
        offset += slot_bytes(type_)
    return number
