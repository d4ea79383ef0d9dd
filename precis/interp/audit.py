"""Is a run the only one its program has?

A program may do different things in different runs because of its inputs, of indeterminate
values, of allocations that fail, and of where its blocks lie. An audited run ends where any of
these could matter. One that gets to its end had no choice: every other run does the same.

Addresses matter where a pointer becomes an integer or is made from one, and where pointers are
compared, unless the outcome is the same wherever blocks lie.
"""

from __future__ import annotations

from typing import Any, NoReturn

from precis.interp.faults import Refused
from precis.interp.memory import NULL, WILD, Block
from precis.ir.instr import BlockKind, computed
from precis.ir.procedure import Procedure
from precis.ir.values import subterms


def refuse(*_: object) -> NoReturn:
    raise Refused


class NoRandom:
    """Stands for the source of indeterminate values: none may be drawn."""

    getrandbits = choice = random = randint = staticmethod(refuse)


def apart(block: Block, offset: int, other: Block, distance: int) -> int:
    """Not 0 if two pointers surely differ, 0 if they surely are equal."""
    if block is WILD or other is WILD:
        raise Refused
    if block is other:
        return offset - distance
    if block is NULL:
        block, offset, other, distance = other, distance, block, offset
    if other is NULL:
        if distance or not 0 <= offset <= block.size:
            raise Refused
        return 1
    literals = block.kind is other.kind is BlockKind.LITERAL  # a compiler may make them one
    if literals or not _is_inside(block, offset) or not _is_inside(other, distance):
        raise Refused
    return 1


def _is_inside(block: Block, offset: int) -> bool:
    """Does the pointer point to a byte of a live block, which no other block has?"""
    if block.kind is BlockKind.CODE:
        return not offset
    return 0 <= offset < block.limit


def ahead(block: Block, offset: int, other: Block, distance: int) -> int:
    """How far the first pointer lies behind the second, both into one block."""
    if block is not other or block is WILD:
        raise Refused
    return offset - distance


AUDITING: dict[str, Any] = {
    "REFUSE": refuse,
    "CHOOSE": refuse,
    "ADDRESS": refuse,
    "APART": apart,
    "AHEAD": ahead,
}


def uses_arguments(procedure: Procedure) -> bool:
    """Does the procedure read its parameters?"""
    parameters = set(procedure.parameters)
    return any(
        node.op == "var" and node.data in parameters
        for block in procedure.blocks
        for item in (*block.steps, block.end)
        for root in computed(item)
        for node in subterms(root)
    )
