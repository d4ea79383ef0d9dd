"""Binary operators, assignment, ++ and --.

clang converts the operands of an operator to their common type, so both sides of a binary
operator arrive converted; only for compound assignments is the type found here (C17 6.5.16.2).
"""

from __future__ import annotations

from typing import Final

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
from precis.frontends.clang.conditions import logical, logical_effect
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import COMPOUND, Binary, Kind, Unary
from precis.frontends.clang.types import common, promoted
from precis.ir.location import Location
from precis.ir.types import Float, Pointer, Type
from precis.ir.values import LEAVES, Op, Term, as_int, binary, cast, compare, const, diff, real

_OPERATIONS: Final[dict[int, Op]] = {
    Binary.MUL: "mul",
    Binary.DIV: "div",
    Binary.REM: "rem",
    Binary.ADD: "add",
    Binary.SUB: "sub",
    Binary.SHL: "shl",
    Binary.SHR: "shr",
    Binary.AND: "band",
    Binary.XOR: "bxor",
    Binary.OR: "bor",
}
_SIMPLE: Final = range(Binary.MUL, Binary.OR + 1)

_SHIFTS: Final = (Binary.SHL, Binary.SHR)


def _binary(body: Body, node: Node) -> Term:
    match node.operator:
        case Binary.ASSIGN:
            return _assigned(body, node)
        case Binary.COMMA:
            body.effect(node.children[0])
            return body.value(node.children[1])
        case Binary.LOGICAL_AND | Binary.LOGICAL_OR:
            return logical(body, node)
        case _:
            return _chain(body, node)


def _chain(body: Body, node: Node) -> Term:
    """`a + b - c ...`: from the innermost left operand outwards, without recursion."""
    spine = [node]
    while True:
        left = spine[-1].children[0]
        if left.kind != Kind.BINARY_OPERATOR or left.operator not in _SIMPLE:
            break
        spine.append(left)
    value = body.value(left)
    while spine:
        operation = spine.pop()
        right = operation.children[1]
        value = body.kept(value, (right,), operation)
        value = body.shallow(_combined(body, operation, value, body.value(right)), operation)
    return value


def _combined(body: Body, node: Node, left: Term, right: Term) -> Term:
    operator = node.operator
    if operator in _OPERATIONS:
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return _pointer_arithmetic(body, node, left, right)
        return binary(_OPERATIONS[operator], left, right)
    if isinstance(left.type, Pointer):
        right = body.types.cast(right, left.type)
    match operator:
        case Binary.EQ:
            return as_int(compare("eq", left, right))
        case Binary.NE:
            return as_int(compare("ne", left, right))
        case Binary.LT:
            return as_int(compare("lt", left, right))
        case Binary.GT:
            return as_int(compare("lt", right, left))
        case Binary.LE:
            return as_int(compare("le", left, right))
        case Binary.GE:
            return as_int(compare("le", right, left))
        case _:
            raise Unlowered(describe(node))


def _pointer_arithmetic(body: Body, node: Node, left: Term, right: Term) -> Term:
    first, second = node.children
    if isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        size = body.size_of(first.type.inner)
        apart = diff(left, body.types.cast(right, left.type), body.types.word)
        if size.op == "const" and size.data in (0, 1):
            return apart
        return body.types.cast(binary("div", apart, size), body.types.of(node.type))
    if isinstance(left.type, Pointer):
        return advanced(body, left, right, first.type, node.operator)
    return advanced(body, right, left, second.type, node.operator)


def advanced(body: Body, pointer: Term, count: Term, type_: CType, operator: int) -> Term:
    """The pointer, of C type `type_`, moved by `count` elements up (ADD) or down (SUB)."""
    sign = -1 if operator == Binary.SUB else 1
    return body.indexed(pointer, count, type_.inner, pointer.type, sign)


# Assignment


def _target(body: Body, left: Node, right: Node) -> Place:
    """Where an assignment goes, found before its right side is evaluated."""
    place = body.place(left)
    if isinstance(place, InMemory) and right.writes:
        address = body.kept(place.address, (right,), left)
        place = InMemory(address, place.type, place.bits)
    return place


def assign(body: Body, node: Node) -> tuple[Place, Term]:
    """The place assigned to and the value it now has."""
    left, right = node.children
    at = body.at(node)
    place = _target(body, left, right)
    if left.type.sort is Sort.RECORD:
        assert isinstance(place, InMemory)
        body.copy(place.address, body.address(right), left.type, at)
        return place, place.address
    value = body.types.convert(body.value(right), left.type)
    return place, put(body, place, value, at)


def put(body: Body, place: Place, value: Term, at: Location) -> Term:
    """Store a value; gives it as a term that is cheap to use again."""
    if isinstance(place, InVariable):
        body.store(place, value, at)
        return value if value.op in ("const", "real") else body.builder.var(place.index)
    if value.op not in LEAVES:
        value = body.keep(value, at)
    body.store(place, value, at)
    return value


def _read_back(body: Body, place: Place, value: Term, at: Location) -> Term:
    """The value of an assignment: what a bit-field kept of it (C17 6.5.16)."""
    if isinstance(place, InMemory) and place.bits is not None:
        return body.load(place, at)
    return value


def _assigned(body: Body, node: Node) -> Term:
    place, value = assign(body, node)
    return _read_back(body, place, value, body.at(node))


def _binary_place(body: Body, node: Node) -> Place:
    if node.operator == Binary.ASSIGN:
        place, _ = assign(body, node)
        return place
    if node.operator == Binary.COMMA:
        body.effect(node.children[0])
        return body.place(node.children[1])
    raise Unlowered(describe(node))


def _binary_effect(body: Body, node: Node) -> None:
    match node.operator:
        case Binary.ASSIGN:
            _assign_effect(body, node)
        case Binary.COMMA:
            body.effect(node.children[0])
            body.effect(node.children[1])
        case Binary.LOGICAL_AND | Binary.LOGICAL_OR:
            logical_effect(body, node)
        case _:
            body.discard(_chain(body, node), node)


def _assign_effect(body: Body, node: Node) -> None:
    left, right = node.children
    if left.type.sort is Sort.RECORD:
        assign(body, node)
        return
    place = _target(body, left, right)
    body.store(place, body.types.convert(body.value(right), left.type), body.at(node))


def _compound(body: Body, node: Node) -> tuple[Place, Term]:
    """`a op= b`: where a is, then b, then the old value of a; the new value is not stored yet."""
    left, right = node.children
    at = body.at(node)
    place = _target(body, left, right)
    operand = body.value(right)
    old = body.load(place, at)
    operator = COMPOUND[node.operator]
    if isinstance(old.type, Pointer):
        return place, advanced(body, old, operand, left.type, operator)
    width = place.bits.width if isinstance(place, InMemory) and place.bits else None
    kind = promoted(old.type, width)
    if operator in _SHIFTS:
        operand = cast(promoted(operand.type), operand)
    else:
        kind = common(kind, promoted(operand.type))
        operand = cast(kind, operand)
    value = binary(_OPERATIONS[operator], cast(kind, old), operand)
    return place, body.types.convert(value, left.type)


def _compound_value(body: Body, node: Node) -> Term:
    place, value = _compound(body, node)
    at = body.at(node)
    return _read_back(body, place, put(body, place, value, at), at)


def _compound_effect(body: Body, node: Node) -> None:
    place, value = _compound(body, node)
    body.store(place, value, body.at(node))


# ++ and --


def step_by_one(body: Body, node: Node) -> Term:
    """The value of `++x`, `x++`, `--x` or `x--`."""
    at = body.at(node)
    place = body.place(node.children[0])
    old = body.load(place, at)
    if node.operator in (Unary.POST_INCREMENT, Unary.POST_DECREMENT):
        if isinstance(place, InVariable):
            old = body.keep(old, at)
        body.store(place, _stepped(body, node, place, old), at)
        return old
    value = put(body, place, _stepped(body, node, place, old), at)
    return _read_back(body, place, value, at)


def step_by_one_effect(body: Body, node: Node) -> None:
    at = body.at(node)
    place = body.place(node.children[0])
    body.store(place, _stepped(body, node, place, body.load(place, at)), at)


def _stepped(body: Body, node: Node, place: Place, old: Term) -> Term:
    type_ = node.children[0].type
    up = node.operator in (Unary.POST_INCREMENT, Unary.PRE_INCREMENT)
    if isinstance(old.type, Pointer):
        operator = Binary.ADD if up else Binary.SUB
        return advanced(body, old, body.word(1), type_, operator)
    width = place.bits.width if isinstance(place, InMemory) and place.bits else None
    kind = promoted(old.type, width)
    value = binary("add" if up else "sub", cast(kind, old), _one(kind))
    return body.types.convert(value, type_)


def _one(kind: Type) -> Term:
    return real(kind, 1.0) if isinstance(kind, Float) else const(kind, 1)


_STEPS: Final = (
    Unary.POST_INCREMENT,
    Unary.POST_DECREMENT,
    Unary.PRE_INCREMENT,
    Unary.PRE_DECREMENT,
)


def install() -> None:
    VALUES[Kind.BINARY_OPERATOR] = _binary
    PLACES[Kind.BINARY_OPERATOR] = _binary_place
    EFFECTS[Kind.BINARY_OPERATOR] = _binary_effect
    VALUES[Kind.COMPOUND_ASSIGNMENT_OPERATOR] = _compound_value
    EFFECTS[Kind.COMPOUND_ASSIGNMENT_OPERATOR] = _compound_effect
    other_unary = VALUES[Kind.UNARY_OPERATOR]

    def unary_value(body: Body, node: Node) -> Term:
        return step_by_one(body, node) if node.operator in _STEPS else other_unary(body, node)

    def unary_effect(body: Body, node: Node) -> None:
        if node.operator in _STEPS:
            step_by_one_effect(body, node)
        elif node.operator in (Unary.PLUS, Unary.MINUS, Unary.NOT, Unary.EXTENSION):
            body.effect(node.children[0])
        elif node.operator == Unary.DEREFERENCE and not node.type.is_scalar:
            body.place(node)
        else:
            body.discard(other_unary(body, node), node)

    VALUES[Kind.UNARY_OPERATOR] = unary_value
    EFFECTS[Kind.UNARY_OPERATOR] = unary_effect
