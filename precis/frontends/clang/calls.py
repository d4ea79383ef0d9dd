"""Calls, and the ends of procedures.

A record result goes to a block of the caller's, passed as hidden first argument; a record
argument is passed by address and copied by the callee; extra arguments: see varargs.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from precis.frontends.clang.body import EFFECTS, PLACES, VALUES, Body, InMemory, Place, stripped
from precis.frontends.clang.builtins import BUILTINS
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Binary, Kind
from precis.frontends.clang.special import SPECIAL
from precis.frontends.clang.varargs import laid_out
from precis.ir.instr import Call, ScopeEnd
from precis.ir.types import Function, Pointer, Void
from precis.ir.values import Term, cast, const


def _callee(node: Node) -> Node:
    """The expression called, without conversions."""
    callee = node.children[0]
    while True:
        callee = stripped(callee)
        if callee.kind != Kind.UNEXPOSED_EXPR or not callee.children:
            return callee
        callee = callee.children[-1]


def _known_name(body: Body, callee: Node) -> str:
    """The name of a function called directly that the program does not define itself."""
    if callee.kind != Kind.DECL_REF_EXPR or callee.target in body.bindings:
        return ""
    name = callee.name
    if name.startswith("__builtin_") and name not in SPECIAL and name not in BUILTINS:
        name = name.removeprefix("__builtin_")
    return "" if body.whole.is_defined(body.unit, name) else name


class Use(Enum):
    """What becomes of the value of a call."""

    VALUE = "value"
    NONE = "none"


def call(body: Body, node: Node, result: Term | None = None, use: Use = Use.VALUE) -> Term | None:
    """Make the call; its scalar value, or None. A record goes to where `result` points."""
    callee = _callee(node)
    at = body.at(node)
    arguments = node.children[1:]
    name = _known_name(body, callee)
    special = SPECIAL.get(name)
    if special is not None:
        return special(body, node, arguments)
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin(body, _evaluated(body, arguments), node.type, at)
    target = _target(body, node, callee, arguments)
    signature = _signature(node)
    values = _evaluated(body, arguments)
    given = (values, [a.type for a in arguments])
    return _emit(body, node, target, signature, given, result, use)


def _target(body: Body, node: Node, callee: Node, arguments: Sequence[Node]) -> Term:
    if callee.kind == Kind.DECL_REF_EXPR and callee.name.startswith("__builtin_"):
        name = callee.name.removeprefix("__builtin_")
        return body.whole.function_by_name(body.unit, name, _signature(node))
    return body.kept(body.value(node.children[0]), arguments, node)


def _signature(node: Node) -> CType:
    type_ = node.children[0].type
    while type_.sort is Sort.POINTER:
        type_ = type_.inner
    if type_.sort is not Sort.FUNCTION:
        raise Unlowered("call of something that is no function")
    return type_


def _evaluated(body: Body, arguments: Sequence[Node]) -> list[Term]:
    """The arguments from left to right; each keeps its value while later ones are evaluated."""
    values = []
    for number, argument in enumerate(arguments):
        later = arguments[number + 1 :]
        if argument.type.sort is Sort.RECORD:
            values.append(_record_argument(body, argument, later))
        else:
            values.append(body.kept(body.value(argument), later, argument))
    return values


def _record_argument(body: Body, argument: Node, later: Sequence[Node]) -> Term:
    address = body.address(argument)
    if not any(_has_effects(node) for node in later):
        return address
    at = body.at(argument)
    number = body.borrow(argument.type, at)
    body.copy(body.builder.local(number), address, argument.type, at)
    return body.builder.local(number)


def _has_effects(node: Node) -> bool:
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if found.kind in (Kind.CALL_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) or found.writes:
            return True
        if found.kind == Kind.BINARY_OPERATOR and found.operator == Binary.ASSIGN:
            return True
        waiting.extend(found.children)
    return False


def _emit(
    body: Body,
    node: Node,
    function: Term,
    signature: CType,
    given: tuple[list[Term], list[CType]],
    result: Term | None,
    use: Use,
) -> Term | None:
    at = body.at(node)
    values, types = given
    count = len(signature.parameters) if signature.prototyped else len(values)
    fixed = values[:count]
    if signature.prototyped:
        fixed = [
            value if type_.sort is Sort.RECORD else body.types.convert(value, wanted)
            for value, type_, wanted in zip(fixed, types, signature.parameters, strict=False)
        ]
    extra = None
    if signature.variadic:
        extra = laid_out(body, list(zip(values[count:], types[count:], strict=True)), at)
        fixed.append(body.builder.local(extra))
    target = None
    if node.type.sort is Sort.RECORD:
        assert result is not None
        fixed.insert(0, result)
    elif use is Use.VALUE and not isinstance(body.types.of(node.type), Void):
        target = body.temporary(body.types.of(node.type), at)
    if not signature.prototyped:
        function = _as_called(body, function, signature, given)
    body.builder.step(Call(target, function, tuple(fixed), at))
    if extra is not None:
        body.builder.step(ScopeEnd(extra, at))
    return None if target is None else body.builder.var(target)


def _as_called(
    body: Body, function: Term, signature: CType, given: tuple[list[Term], list[CType]]
) -> Term:
    """A function without prototype takes what it is given (C17 6.5.2.2 paragraph 6)."""
    parameters = tuple(
        body.types.of(type_) if type_.sort is Sort.RECORD else value.type
        for value, type_ in zip(*given, strict=True)
    )
    return cast(Pointer(Function(body.types.of(signature.inner), parameters)), function)


def _call_value(body: Body, node: Node) -> Term:
    value = call(body, node)
    return const(body.types.word, 0) if value is None else cast(value.type, value)


def _call_place(body: Body, node: Node) -> Place:
    number = body.borrow(node.type, body.at(node))
    address = body.builder.local(number)
    call(body, node, address)
    return InMemory(address, node.type)


def _call_effect(body: Body, node: Node) -> None:
    if node.type.sort is Sort.RECORD:
        _call_place(body, node)
        return
    value = call(body, node, use=Use.NONE)
    if value is not None:
        body.discard(value, node)


def call_into(body: Body, address: Term, node: Node) -> bool:
    """Let a call write its record result straight to `address`; False if it is no such call."""
    while node.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR) and len(node.children) == 1:
        node = node.children[0]
    if node.kind != Kind.CALL_EXPR or node.type.sort is not Sort.RECORD:
        return False
    call(body, node, address)
    return True


def install() -> None:
    VALUES[Kind.CALL_EXPR] = _call_value
    PLACES[Kind.CALL_EXPR] = _call_place
    EFFECTS[Kind.CALL_EXPR] = _call_effect
