"""Names, literals, members, conversions and unary operators."""

from __future__ import annotations

import math
import struct

from precis.frontends.clang.body import (
    EFFECTS,
    PLACES,
    VALUES,
    Body,
    InMemory,
    InVariable,
    Place,
    describe,
)
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.conditions import default_conditional
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.generic import chosen
from precis.frontends.clang.initialisers import initialise
from precis.frontends.clang.kinds import DEFAULT_CONDITIONAL, Kind, Unary
from precis.frontends.clang.lengths import bind_sizes, size_of_type
from precis.frontends.clang.types import bit_range, find_field
from precis.frontends.clang.varargs import is_va_arg, va_arg_place
from precis.ir.types import Float, Pointer
from precis.ir.values import Term, as_int, const, function, global_, not_, real, truth_of, unary

# Literals


def _number(body: Body, node: Node) -> Term:
    value = body.unit.evaluate(node)
    if value is None:
        raise Unlowered(describe(node))
    return number(body, value, node.type)


def number(body: Body, value: int | float, type_: CType) -> Term:
    """A number as a term of the type; a fraction is cut off where C does so."""
    kind = body.types.of(type_)
    if type_.sort is Sort.BOOL:
        return const(kind, int(value != 0))
    if isinstance(kind, Float):
        return real(kind, single(value) if kind.bits == 32 else float(value))
    if isinstance(kind, Pointer) and value:
        return body.types.cast(const(body.types.word, int(value)), kind)
    return const(kind, int(value))


def single(value: float) -> float:
    """The float of 32 bits next to the value."""
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return math.copysign(math.inf, value)
    return float(rounded)


def _string(body: Body, node: Node) -> Place:
    name = body.whole.literal(body.unit, node)
    return InMemory(global_(name, body.pointer(node.type)), node.type)


# Names


def _named(body: Body, node: Node) -> Place:
    bound = body.bindings.get(node.target)
    if bound is not None:
        return bound
    kind = body.unit.referenced(node).kind
    if kind == Kind.FUNCTION_DECL:
        name = body.whole.function(body.unit, node)
        return InMemory(function(name, body.pointer(node.type)), node.type)
    if kind == Kind.VAR_DECL:
        name = body.whole.known_static(body.unit, node.target)
        if not name and body.unit.is_outside_functions(node):
            name = body.whole.variable(body.unit, node)
        elif not name:
            raise Unlowered(f"{node.name}, whose declaration is not lowered")
        return InMemory(global_(name, body.pointer(node.type)), node.type)
    raise Unlowered(f"{node.name}, whose declaration is not lowered")


def _named_value(body: Body, node: Node) -> Term:
    bound = body.bindings.get(node.target)
    if isinstance(bound, InVariable):
        return body.builder.var(bound.index)
    if bound is not None:
        return body.load(bound, body.at(node))
    if body.unit.referenced(node).kind == Kind.ENUM_CONSTANT_DECL:
        return const(body.types.of(node.type), body.unit.enumerator(node))
    return body.load(_named(body, node), body.at(node))


# Parts of objects


def _member(body: Body, node: Node) -> Place:
    base = node.children[0]
    if base.type.sort is Sort.RECORD:
        record, address = base.type, body.address(base)
    else:
        record, address = base.type.inner, body.value(base)
    if body.whole.is_opaque(body.unit, record):
        raise Unlowered(f"a look into {record}, which the library models have another form of")
    return member_place(body, address, record, node.name, node.type)


def member_place(
    body: Body, address: Term, record: CType, name: str, type_: CType | None = None
) -> InMemory:
    """The member of a record at an address; its type is `type_` where qualifiers matter."""
    field = find_field(record, name, type_)
    type_ = field.type if type_ is None else type_
    bits = None if field.width is None else bit_range(field.offset, field.width)
    moved = body.moved(address, field.offset // 8, body.pointer(type_))
    return InMemory(moved, type_, bits)


def _subscript(body: Body, node: Node) -> Place:
    left, right = node.children
    first = body.kept(body.value(left), (right,), node)
    second = body.value(right)
    if isinstance(first.type, Pointer):
        pointer, index, element = first, second, left.type.inner
    else:
        pointer, index, element = second, first, right.type.inner
    address = body.indexed(pointer, index, element, body.pointer(node.type))
    return InMemory(address, node.type)


def _loaded(body: Body, node: Node) -> Term:
    return body.load(body.place(node), body.at(node))


# Unary operators


def _unary(body: Body, node: Node) -> Term:
    child = node.children[0]
    match node.operator:
        case Unary.ADDRESS:
            return body.types.cast(_address(body, child), body.types.of(node.type))
        case Unary.DEREFERENCE:
            return _loaded(body, node)
        case Unary.PLUS | Unary.EXTENSION:
            return body.value(child)
        case Unary.MINUS:
            return unary("neg", body.value(child))
        case Unary.COMPLEMENT:
            return unary("bnot", body.value(child))
        case Unary.NOT:
            return as_int(not_(truth_of(body.value(child))))
        case Unary.REAL if child.type.is_scalar:
            return body.value(child)
        case _:
            raise Unlowered("complex number")


def _address(body: Body, node: Node) -> Term:
    place = body.place(node)
    if isinstance(place, InMemory) and place.bits is None:
        return place.address
    raise Unlowered(f"address of {describe(node)}")


def _unary_place(body: Body, node: Node) -> Place:
    child = node.children[0]
    match node.operator:
        case Unary.DEREFERENCE:
            return InMemory(body.value(child), node.type)
        case Unary.EXTENSION | Unary.REAL:
            return body.place(child)
        case _:
            raise Unlowered(describe(node))


# Conversions, and what libclang shows as if it were one


def _operands(node: Node) -> list[Node]:
    return [child for child in node.children if child.kind != Kind.TYPE_REF]


def _unexposed(body: Body, node: Node) -> Term:
    children = _operands(node)
    if is_va_arg(body, node):
        return body.load(va_arg_place(body, node), body.at(node))
    if node.operator == DEFAULT_CONDITIONAL:
        return default_conditional(body, node)
    if len(children) == 1 and _is_operand(body, node, children[0]):
        return _converted(body, children[0], node.type)
    if len(children) == 3 and children[0].kind != Kind.MEMBER_REF:
        return body.value(_picked(body, children))
    value = body.unit.evaluate(node)  # offsetof, __builtin_types_compatible_p, __builtin_LINE
    if value is None and not children:
        return _source_text(body, node)
    if value is None:
        raise Unlowered("expression that libclang does not show")
    return number(body, value, node.type)


def _source_text(body: Body, node: Node) -> Term:
    """__builtin_FILE(), __builtin_FUNCTION()."""
    texts = {"__builtin_FILE": body.at(node).file, "__builtin_FUNCTION": body.name}
    text = texts.get("".join(body.unit.tokens(node)[:1]))
    if text is None or node.type.sort is not Sort.POINTER:
        raise Unlowered("expression that libclang does not show")
    name = body.whole.literal_bytes(text.encode() + b"\0", node.type.inner, body.at(node))
    return global_(name, body.pointer(node.type.inner))


def _is_operand(body: Body, node: Node, child: Node) -> bool:
    """Is the child what is converted, rather than a part of offsetof or of a type in it?"""
    if child.kind in (Kind.MEMBER_REF, Kind.STRING_LITERAL):
        return child.kind == Kind.STRING_LITERAL
    return body.unit.covers_the_same(node, child)


def _converted(body: Body, child: Node, type_: CType) -> Term:
    if type_.sort is Sort.VOID:
        body.effect(child)
        return const(body.types.word, 0)  # nobody reads the value of a void expression
    return body.types.convert(body.value(child), type_)


def _picked(body: Body, children: list[Node]) -> Node:
    """The operand that __builtin_choose_expr stands for."""
    control = children[0]
    while len(control.children) == 1 and control.children[0].kind == control.kind:
        control = control.children[0]  # libclang wraps a constant in itself
    choice = body.unit.evaluate(control) if control.type.sort is Sort.INT else None
    if choice is None:
        raise Unlowered("expression that libclang does not show")
    return children[1 if choice else 2]


def _unexposed_place(body: Body, node: Node) -> Place:
    children = _operands(node)
    if is_va_arg(body, node):
        return va_arg_place(body, node)
    if len(children) == 1:
        return body.place(children[0])
    if len(children) == 3:
        return body.place(_picked(body, children))
    raise Unlowered("expression that libclang does not show")


def _unexposed_effect(body: Body, node: Node) -> None:
    children = _operands(node)
    if len(children) == 1 and not is_va_arg(body, node):
        body.effect(children[0])
    elif node.type.sort is Sort.RECORD:
        body.place(node)
    else:
        body.discard(body.value(node), node)


def _cast(body: Body, node: Node) -> Term:
    bind_sizes(body, node.type, node.children[:-1])
    return _converted(body, node.children[-1], node.type)


def _cast_effect(body: Body, node: Node) -> None:
    body.effect(node.children[-1])


def _cast_place(body: Body, node: Node) -> Place:
    child = node.children[-1]
    if child.type.sort is Sort.RECORD and child.type.size == node.type.size:
        return body.place(child)
    if node.type.sort is Sort.RECORD and node.type.is_union and child.type.is_scalar:
        return _cast_to_union(body, node, child)
    raise Unlowered(f"cast to {node.type}")


def _cast_to_union(body: Body, node: Node, child: Node) -> Place:
    """GNU C: a union whose member of the operand's type has its value."""
    value, at = body.value(child), body.at(node)
    members = [f for f in node.type.fields if f.type is child.type and f.width is None]
    if not members:
        raise Unlowered(f"cast to {node.type}")
    address = body.builder.local(body.borrow(node.type, at))
    body.store(member_place(body, address, node.type, members[0].name, child.type), value, at)
    return InMemory(address, node.type)


# Other expressions


def _compound_literal(body: Body, node: Node) -> Place:
    at = body.at(node)
    if body.is_constant:
        name = body.whole.constant_object(body.unit, node)
        return InMemory(global_(name, body.pointer(node.type)), node.type)
    kind = body.types.of(node.type)
    number_ = body.builder.object("", kind, node.type.size, node.type.align, at)
    body.builder.declare(number_)
    place = InMemory(body.builder.local(number_), node.type)
    initialise(body, place, node.children[-1], at)
    return place


def _sizeof(body: Body, node: Node) -> Term:
    value = body.unit.evaluate(node)
    kind = body.types.of(node.type)
    if value is not None:
        return const(kind, int(value))
    operand = node.children[-1] if node.children else node
    if operand.type.sort is not Sort.VLA:
        return body.types.cast(size_of_type(body, node), kind)
    if operand.type not in body.sizes:
        body.place(operand)  # it is evaluated (C17 6.5.3.4), and so are the lengths in its casts
    return body.types.cast(body.size_of(operand.type), kind)


def _paren(body: Body, node: Node) -> Term:
    return body.value(node.children[0])


def _paren_place(body: Body, node: Node) -> Place:
    return body.place(node.children[0])


def _paren_effect(body: Body, node: Node) -> None:
    body.effect(node.children[0])


def _generic(body: Body, node: Node) -> Term:
    try:
        branch = chosen(body, node)
    except Unlowered:
        value = body.unit.evaluate(node)
        if value is None:
            raise
        return number(body, value, node.type)
    return body.value(branch)


def _generic_place(body: Body, node: Node) -> Place:
    return body.place(chosen(body, node))


def install() -> None:
    for kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL, Kind.CHARACTER_LITERAL):
        VALUES[kind] = _number
    for kind in (Kind.STRING_LITERAL, Kind.MEMBER_REF_EXPR, Kind.ARRAY_SUBSCRIPT_EXPR):
        VALUES[kind] = _loaded
    VALUES[Kind.COMPOUND_LITERAL_EXPR] = _loaded
    VALUES[Kind.DECL_REF_EXPR] = _named_value
    VALUES[Kind.UNARY_OPERATOR] = _unary
    VALUES[Kind.UNEXPOSED_EXPR] = _unexposed
    VALUES[Kind.CAST_EXPR] = _cast
    VALUES[Kind.SIZEOF_EXPR] = _sizeof
    VALUES[Kind.PAREN_EXPR] = _paren
    VALUES[Kind.GENERIC_SELECTION_EXPR] = _generic
    PLACES[Kind.STRING_LITERAL] = _string
    PLACES[Kind.DECL_REF_EXPR] = _named
    PLACES[Kind.MEMBER_REF_EXPR] = _member
    PLACES[Kind.ARRAY_SUBSCRIPT_EXPR] = _subscript
    PLACES[Kind.UNARY_OPERATOR] = _unary_place
    PLACES[Kind.UNEXPOSED_EXPR] = _unexposed_place
    PLACES[Kind.CAST_EXPR] = _cast_place
    PLACES[Kind.COMPOUND_LITERAL_EXPR] = _compound_literal
    PLACES[Kind.PAREN_EXPR] = _paren_place
    PLACES[Kind.GENERIC_SELECTION_EXPR] = _generic_place
    EFFECTS[Kind.UNEXPOSED_EXPR] = _unexposed_effect
    EFFECTS[Kind.CAST_EXPR] = _cast_effect
    EFFECTS[Kind.PAREN_EXPR] = _paren_effect
