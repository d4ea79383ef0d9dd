"""Assembler code in C.

Its text is not read. What gcc is told of it decides what it may do (docs/assumptions.md, 22): it
writes its outputs, with values nobody knows; if it clobbers memory, it is a call of a function
without a body. An empty text does nothing, but hands on what an input shares with an output.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from precis.frontends.clang.body import STATEMENTS, Body
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind
from precis.frontends.clang.printed import Assembler, assembler_parts
from precis.ir.instr import Call, Havoc
from precis.ir.values import Term

# Texts that change nothing a program can see.
_IDLE: Final = frozenset(
    {"", "nop", "pause", "rep;nop", "rep; nop", "mfence", "lfence", "sfence", "yield"}
)


def _assembler(body: Body, node: Node) -> None:
    parts = _parts(body, node)
    if parts.jumps:
        raise Unlowered("assembler code that jumps")
    outputs = node.children[: len(parts.outputs)]
    inputs = _inputs(body, node.children[len(outputs) :], parts.inputs)
    if parts.text not in _IDLE and parts.clobbers_memory:
        body.builder.step(Call(None, body.whole.assembler(body.at(node)), (), body.at(node)))
    for number, (output, constraint) in enumerate(zip(outputs, parts.outputs, strict=True)):
        if parts.text in _IDLE and "+" in constraint:
            continue
        shared = inputs.get(str(number)) if parts.text in _IDLE else None
        _write(body, output, shared)
    body.end_borrowed(body.at(node))


def _parts(body: Body, node: Node) -> Assembler:
    if body.assembler is None:
        assert body.root is not None
        body.assembler = assembler_parts(body.unit, body.root)
    parts = body.assembler.get(node)
    if parts is None or len(node.children) != len(parts.outputs) + len(parts.inputs):
        raise Unlowered("assembler code whose operands libclang does not tell apart")
    return parts


def _inputs(body: Body, nodes: Sequence[Node], constraints: Sequence[str]) -> dict[str, Term]:
    """The values of scalar inputs, by constraint; a number says which output an input shares."""
    found: dict[str, Term] = {}
    for node, constraint in zip(nodes, constraints, strict=True):
        if constraint.strip("%&").isdigit() and node.type.is_scalar:
            found[constraint.strip("%&")] = body.keep(body.value(node), body.at(node))
        else:
            body.effect(node)
    return found


def _write(body: Body, node: Node, value: Term | None) -> None:
    if not node.type.is_scalar:
        raise Unlowered(f"assembler code that writes a {node.type}")
    at = body.at(node)
    place = body.place(node)
    if value is None:
        index = body.temporary(body.types.of(node.type), at)
        body.builder.step(Havoc(index, "assembler code", at))
        value = body.builder.var(index)
    body.store(place, body.types.convert(value, node.type), at)


def install() -> None:
    STATEMENTS[Kind.ASM_STMT] = _assembler
