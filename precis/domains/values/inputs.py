"""What `scanf` does where nothing can go wrong: its model need not be followed.

The format is a literal that asks for numbers, and every place they go to is certain, live and
holds no pointers, which would be lost. Then the first so many places get any numbers, as many
as the result says. What the stream remembers may be anything afterwards.
"""

from __future__ import annotations

from typing import TypeAlias

from precis.domains.formats import stored
from precis.domains.streams import RECORD, SLOT, changed_by_reading, zero_if_plain
from precis.domains.values import num
from precis.domains.values.memory import LIVE, Block, kind_of, load
from precis.domains.values.state import State
from precis.domains.values.transfer import Transfer
from precis.domains.values.value import UNKNOWN, Value, any_of, of_number, pointer_to
from precis.domains.values.world import World
from precis.ir.types import I32, U8, Int, Pointer, scalar_bytes

Stores: TypeAlias = list[tuple[Value, Int]]


def scanned(
    world: World, transfer: Transfer, state: State, text: bytes, slots: Value
) -> list[tuple[State, num.Num]] | None:
    """The states after the call with their results; None if it is not as plain as that."""
    types = stored(text, world.program.model)
    stores = None if types is None else _stores(world, state, slots, types)
    current = _after_reading(world, transfer, state)
    if stores is None or current is None:
        return None
    found = [(current, num.make(-1, 0))]
    for count, (address, type_) in enumerate(stores, 1):
        size = scalar_bytes(type_, world.program.model)
        (current,) = transfer.write(current, address, size, kind_of(type_), any_of(type_))
        found.append((current, num.const(count)))
    return found


def _stores(world: World, state: State, slots: Value, types: list[Int]) -> Stores | None:
    found: Stores = []
    for index, type_ in enumerate(types):
        slot = _place(world, state, slots, SLOT * index, world.program.model.pointer_bytes)
        if slot is None:
            return None
        block, at = slot
        address = load(block, num.const(at), world.program.model.pointer_bytes, Pointer(U8))
        size = scalar_bytes(type_, world.program.model)
        place = _place(world, state, address, 0, size)
        if place is None or world.is_constant(address[1][0][0]):
            return None
        if not _is_plain(*place, size):
            return None
        found.append((address, type_))
    return found


def _place(
    world: World, state: State, address: Value, by: int, size: int
) -> tuple[Block, int] | None:
    """The one place that an address leads to, moved on, if so many bytes are there."""
    number, pointers, unset = address
    if number is not None or unset or len(pointers) != 1 or pointers[0][0] == UNKNOWN:
        return None
    name, offset = pointers[0]
    block = world.block(state, name)
    at = offset[0] + by
    if block.live != LIVE or block.many or offset[0] != offset[1] or at < 0:
        return None
    return (block, at) if at + size <= block.size[0] else None


def _is_plain(block: Block, at: int, size: int) -> bool:
    """Does memory certainly hold no pointers there?"""
    if block.rest.value is not None and block.rest.value[1]:
        return False
    return not any(
        value[1]
        for start, (length, _, value) in block.cells.items()
        if start < at + size and at < start + length
    )


def _after_reading(world: World, transfer: Transfer, state: State) -> State | None:
    """Standard input has been read from; None if nobody knows where it is."""
    layout = world.program.records.get(RECORD)
    if layout is None or "stdin" not in world.program.globals:
        return None
    held = world.block(state, world.global_block("stdin"))
    stream = load(held, num.const(0), world.program.model.pointer_bytes, Pointer(U8))
    known = _place(world, state, stream, 0, layout.size)
    if known is None:
        return None
    block, start = known
    for offset in zero_if_plain(layout):
        if load(block, num.const(start + offset), 4, I32) != of_number(num.const(0)):
            return None
    for offset, range_ in changed_by_reading(layout):
        place = pointer_to(stream[1][0][0], num.const(start + offset))
        (state,) = transfer.write(state, place, 4, "s", of_number(num.make(*range_)))
    return state
