"""Conditions, and the operators that evaluate only some of their operands.

They become control flow: `if (a && b)` has a branch for each of a and b, and a temporary only
where the truth value itself is used.
"""

from __future__ import annotations

from collections.abc import Callable

from precis.frontends.clang.body import (
    CONDITION,
    EFFECTS,
    PLACES,
    VALUES,
    Body,
    InMemory,
    Place,
    stripped,
)
from precis.frontends.clang.c_types import Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Binary, Kind, Unary
from precis.ir.instr import Assign, Branch, Jump
from precis.ir.location import Location
from precis.ir.types import I32, Type
from precis.ir.values import Term, const, truth_of

_COMPARING = range(Binary.LT, Binary.NE + 1)

_TRUTHS = frozenset({*_COMPARING, Binary.LOGICAL_AND, Binary.LOGICAL_OR})


def decide(body: Body, node: Node) -> tuple[int, int]:
    """Two new blocks, for a condition that holds and for one that does not."""
    then, otherwise = body.builder.block(), body.builder.block()
    body.branch(node, then, otherwise)
    borrowed = list(body.borrowed)
    for block in (then, otherwise):
        if borrowed:
            body.builder.start(block)
            body.borrowed = list(borrowed)
            body.end_borrowed(body.at(node))
    return then, otherwise


def _branch(body: Body, node: Node, then: int, otherwise: int) -> None:
    node = _truth(node)
    if node.kind == Kind.BINARY_OPERATOR:
        left, right = node.children
        if node.operator in (Binary.LOGICAL_AND, Binary.LOGICAL_OR):
            between = body.builder.block()
            if node.operator == Binary.LOGICAL_AND:
                body.branch(left, between, otherwise)
            else:
                body.branch(left, then, between)
            body.builder.start(between)
            body.branch(right, then, otherwise)
            return
        if node.operator == Binary.COMMA:
            body.effect(left)
            body.branch(right, then, otherwise)
            return
    if node.kind == Kind.UNARY_OPERATOR and node.operator == Unary.NOT:
        body.branch(node.children[0], otherwise, then)
        return
    condition = truth_of(body.value(node))
    if condition.op == "const":
        body.builder.end(Jump(then if condition.data else otherwise, body.at(node)))
    else:
        body.builder.end(Branch(condition, then, otherwise, body.at(node)))


def _truth(node: Node) -> Node:
    """The condition without what does not change its truth.

    A conversion of a truth value, which is 0 or 1, keeps it; __builtin_expect only hints.
    """
    while True:
        node = stripped(node)
        inner = node
        if node.kind in (Kind.UNEXPOSED_EXPR, Kind.CAST_EXPR) and node.children:
            inner = stripped(node.children[-1])
            if node.type.sort not in (Sort.INT, Sort.BOOL) or not _is_truth(inner):
                return node
        elif node.kind == Kind.CALL_EXPR and len(node.children) == 3:
            if _callee_name(node) != "__builtin_expect":
                return node
            inner = node.children[1]
        if inner is node:
            return node
        node = inner


def _is_truth(node: Node) -> bool:
    if node.kind == Kind.BINARY_OPERATOR:
        return node.operator in _TRUTHS
    if node.kind == Kind.CALL_EXPR:
        return _callee_name(node) == "__builtin_expect"
    return node.kind == Kind.UNARY_OPERATOR and node.operator == Unary.NOT


def _callee_name(node: Node) -> str:
    callee = node.children[0] if node.children else node
    while callee.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR) and callee.children:
        callee = callee.children[0]
    return callee.name


# Values that depend on a condition


def logical(body: Body, node: Node) -> Term:
    """`a && b` or `a || b`, used as a number."""
    at = body.at(node)
    result = body.temporary(I32, at)
    then, otherwise = body.builder.block(), body.builder.block()
    body.branch(node, then, otherwise)
    _joined(body, result, (then, const(I32, 1)), (otherwise, const(I32, 0)), at)
    return body.builder.var(result)


def _joined(
    body: Body, result: int, first: tuple[int, Term], second: tuple[int, Term], at: Location
) -> None:
    join = body.builder.block()
    for block, value in (first, second):
        body.builder.start(block)
        body.builder.step(Assign(result, value, at))
        body.builder.end(Jump(join, at))
    body.builder.start(join)


def logical_effect(body: Body, node: Node) -> None:
    left, right = node.children
    between, join = body.builder.block(), body.builder.block()
    if node.operator == Binary.LOGICAL_AND:
        body.branch(left, between, join)
    else:
        body.branch(left, join, between)
    body.builder.start(between)
    body.effect(right)
    body.builder.go_on_in(join, body.at(node))


def _conditional(body: Body, node: Node) -> Term:
    condition, first, second = node.children
    if body.is_constant:
        choice = body.unit.evaluate(condition)
        if choice is None:
            raise Unlowered("initialiser that is not constant")
        return body.types.convert(body.value(first if choice else second), node.type)
    return _either(body, node, body.types.decayed(node.type), _arm_value)


def _arm_value(body: Body, node: Node, arm: Node) -> Term:
    return body.types.convert(body.value(arm), node.type)


def _arm_address(body: Body, node: Node, arm: Node) -> Term:
    return body.types.cast(body.address(arm), body.pointer(node.type))


def _conditional_place(body: Body, node: Node) -> Place:
    address = _either(body, node, body.pointer(node.type), _arm_address)
    return InMemory(address, node.type)


def _either(body: Body, node: Node, type_: Type, read: Callable[[Body, Node, Node], Term]) -> Term:
    """The value that `read` gives for one of the arms, in a temporary."""
    at = body.at(node)
    condition, *arms = node.children
    result = body.temporary(type_, at)
    join = body.builder.block()
    then, otherwise = body.builder.block(), body.builder.block()
    body.branch(condition, then, otherwise)
    for block, arm in zip((then, otherwise), arms, strict=True):
        body.builder.start(block)
        body.builder.step(Assign(result, read(body, node, arm), at))
        body.builder.end(Jump(join, at))
    body.builder.start(join)
    return body.builder.var(result)


def _conditional_effect(body: Body, node: Node) -> None:
    at = body.at(node)
    condition, *arms = node.children
    join = body.builder.block()
    then, otherwise = body.builder.block(), body.builder.block()
    body.branch(condition, then, otherwise)
    for block, arm in zip((then, otherwise), arms, strict=True):
        body.builder.start(block)
        body.effect(arm)
        body.builder.end(Jump(join, at))
    body.builder.start(join)


def default_conditional(body: Body, node: Node) -> Term:
    """`a ?: b`: a, evaluated once, unless it is zero."""
    at = body.at(node)
    first, second = node.children
    value = body.keep(body.value(first), at)
    result = body.temporary(body.types.decayed(node.type), at)
    then, otherwise, join = (body.builder.block() for _ in range(3))
    body.builder.end(Branch(truth_of(value), then, otherwise, at))
    body.builder.start(then)
    body.builder.step(Assign(result, body.types.convert(value, node.type), at))
    body.builder.end(Jump(join, at))
    body.builder.start(otherwise)
    body.builder.step(Assign(result, body.types.convert(body.value(second), node.type), at))
    body.builder.go_on_in(join, at)
    return body.builder.var(result)


def install() -> None:
    CONDITION[:] = [_branch]
    VALUES[Kind.CONDITIONAL_OPERATOR] = _conditional
    PLACES[Kind.CONDITIONAL_OPERATOR] = _conditional_place
    EFFECTS[Kind.CONDITIONAL_OPERATOR] = _conditional_effect
