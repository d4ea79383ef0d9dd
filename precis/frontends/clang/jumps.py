"""Labels as values: `&&label` and `goto *pointer`.

All labels of a program whose address is taken have a byte each in one block: an address is a
pointer to that byte, and a jump to one is a switch over its distance from the block's start.
So label addresses can be kept in tables, compared and subtracted like any others.
"""

from __future__ import annotations

from precis.frontends.clang.body import STATEMENTS, VALUES, Body
from precis.frontends.clang.builder import Dispatch
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.kinds import Kind
from precis.ir.instr import Unreachable, Unsupported
from precis.ir.types import VOID_POINTER
from precis.ir.values import Term, diff


def _label_address(body: Body, node: Node) -> Term:
    number = body.whole.label(body.unit, node.children[0].target)
    return body.moved(body.whole.labels(body.at(node)), number, VOID_POINTER)


def _indirect_goto(body: Body, node: Node) -> None:
    at = body.at(node)
    target = body.types.cast(body.full(node.children[0]), VOID_POINTER)
    number = diff(target, body.whole.labels(at), body.types.word)
    dispatch = Dispatch(body.keep(number, at), body.builder.scope, at)
    body.builder.end(dispatch)
    elsewhere = body.builder.block()
    dispatch.default.append((elsewhere, body.builder.scope))
    body.indirect.append(dispatch)
    body.builder.start(elsewhere)
    body.builder.step(Unsupported(f"goto to what is no label of {body.name}", at))
    body.builder.end(Unreachable(at))


def resolve_indirect(body: Body, root: Node) -> None:
    """Let each `goto *` lead to the labels of the function that have their address taken."""
    if not body.indirect:
        return
    for label in _taken_labels(root):
        if label in body.builder.labels:
            number = body.whole.label(body.unit, label)
            block, scope = body.builder.labels[label]
            for dispatch in body.indirect:
                dispatch.cases.append((number, number, block, scope))


def _taken_labels(root: Node) -> list[int]:
    found: dict[int, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == Kind.ADDR_LABEL_EXPR:
            found[node.children[0].target] = None
        waiting.extend(reversed(node.children))
    return list(found)


def install() -> None:
    VALUES[Kind.ADDR_LABEL_EXPR] = _label_address
    STATEMENTS[Kind.INDIRECT_GOTO_STMT] = _indirect_goto
