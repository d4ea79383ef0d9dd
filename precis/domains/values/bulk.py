"""Copies and fills of areas of abstract blocks."""

from __future__ import annotations

from precis.domains.values import num
from precis.domains.values.memory import (
    ALL_UNSET,
    ALL_ZERO,
    MOST_CELLS,
    UNKNOWN_BYTES,
    Block,
    Cell,
    Rest,
    cut_out,
    joined_cell,
    load_at,
    overlapping,
    part_of,
    rest_with,
)
from precis.domains.values.num import Num
from precis.domains.values.value import (
    SOMEWHERE,
    UNSET,
    ZERO,
    Pointers,
    Value,
    join_pointers,
)
from precis.ir.types import Int

PIECE = 8  # bytes of a cell that stands for bytes without one
MOST_BYTES = 2048  # of a copy that is followed cell by cell


def cells_of(block: Block, offset: int, size: int) -> dict[int, Cell] | None:
    """An area as cells without gaps, counted from its start; None if it is too large."""
    if size > MOST_BYTES:
        return None
    found: dict[int, Cell] = {}
    at = offset
    end = offset + size
    for place, cell in overlapping(block.cells, offset, size):
        _fill_gap(block, found, at, min(place, end), offset)
        low, high = max(place, offset), min(place + cell[0], end)
        if (low, high) == (place, place + cell[0]):
            found[low - offset] = cell
        else:
            part = part_of(cell[2], cell[1], low - place, high - low)
            found[low - offset] = (high - low, "u", part)
        at = high
    _fill_gap(block, found, at, end, offset)
    return found


def _fill_gap(block: Block, found: dict[int, Cell], at: int, end: int, origin: int) -> None:
    rest = block.rest
    width = rest.size if rest.size > 0 else PIECE
    while at < end:
        size = min(width - (at - rest.phase) % width, end - at)
        kind = rest.kind if rest.value is not None and size == rest.size else "u"
        value = _gap_value(block, at, size, kind)
        found[at - origin] = (size, kind, value)
        at += size


def _gap_value(block: Block, at: int, size: int, kind: str) -> Value:
    from precis.domains.values.memory import type_of

    if block.rest == ALL_UNSET:
        return UNSET
    if block.rest == ALL_ZERO:
        return (ZERO, (), False)
    return load_at(block.having({}, block.rest), at, size, type_of(kind, size))


def overwrite(block: Block, offset: Num, cells: dict[int, Cell], size: Num, sure: bool) -> Block:
    """Write an area given by its cells; of `size` bytes only the first may be certain."""
    if offset[2]:
        return blur(block, offset, size[1], _pointers(cells), _unset(cells))
    start = offset[0]
    fresh = dict(block.cells)
    for at, cell in cells.items():
        place = start + at
        if sure and at + cell[0] <= size[0]:
            for other, old in overlapping(fresh, place, cell[0]):
                cut_out(fresh, other, old, place, cell[0])
            fresh[place] = cell
        else:
            # The area may end inside the cell: then it is neither the old nor the new one.
            inside = num.make(at + 1, at + cell[0] - 1) if cell[0] > 1 else None
            cut = inside is not None and num.meet(size, inside) is not None
            _weakly(block, fresh, place, _any_bytes(cell) if cut else cell)
    if len(fresh) > MOST_CELLS:
        from precis.domains.values.memory import smashed

        return smashed(block.having(fresh, block.rest))
    return block.having(fresh, block.rest)


def _any_bytes(cell: Cell) -> Cell:
    size, _, (_, pointers, unset) = cell
    hidden = SOMEWHERE if pointers else ()
    return (size, "*", (num.of_type(Int(8 * size, False)), hidden, unset))


def _weakly(block: Block, cells: dict[int, Cell], at: int, cell: Cell) -> None:
    size, _, value = cell
    old = cells_of(block.having(cells, block.rest), at, size)
    assert old is not None
    same = old.get(0)
    if same is not None and same[0] == size and cell[1] != "*":
        joined = joined_cell(same, cell)
    else:
        pointers = join_pointers(_pointers(old), value[1])
        unset = _unset(old) or value[2]
        bits = num.of_type(Int(8 * size, False))
        joined = (size, "u", (bits, SOMEWHERE if pointers else (), unset))
    for place, other in overlapping(cells, at, size):
        cut_out(cells, place, other, at, size)
    cells[at] = joined


def _pointers(cells: dict[int, Cell]) -> Pointers:
    found: Pointers = ()
    for _, _, value in cells.values():
        found = join_pointers(found, value[1])
    return found


def _unset(cells: dict[int, Cell]) -> bool:
    return any(value[2] for _, _, value in cells.values())


def all_pointers(block: Block) -> Pointers:
    found = _pointers(block.cells)
    return found if block.rest.value is None else join_pointers(found, block.rest.value[1])


def may_be_unset(block: Block) -> bool:
    rest = block.rest
    return rest.unset or (rest.value is not None and rest.value[2]) or _unset(block.cells)


def blur(block: Block, offset: Num, size: int, pointers: Pointers, unset: bool) -> Block:
    """Any bytes, with these pointers hidden in them, may have been written in an area."""
    low, high = offset[0], offset[1] + size
    hidden = SOMEWHERE if pointers else ()
    cells: dict[int, Cell] = {}
    for at, cell in block.cells.items():
        if at >= high or at + cell[0] <= low:
            cells[at] = cell
        else:
            width, _, value = cell
            kept = SOMEWHERE if hidden or value[1] else ()
            bits = num.of_type(Int(8 * width, False))
            cells[at] = (width, "u", (bits, kept, value[2] or unset))
    written: Value = (UNKNOWN_BYTES[0], hidden, unset)
    return block.having(cells, rest_with(block.rest, 1, -1, "u", written))


def fill(block: Block, offset: Num, byte: Num, size: Num, sure: bool) -> Block:
    """memset."""
    certain = sure and not offset[2] and not size[2]
    whole = certain and offset[0] == 0 and not block.size[2] and size[0] >= block.size[0]
    if whole and not byte[2] and byte[0] & 0xFF == 0:
        return block.having({}, ALL_ZERO)
    if whole and size[0] > MOST_BYTES:
        return block.having({}, Rest(False, False, 1, 0, "u", (_low_byte(byte), (), False)))
    if size[1] > MOST_BYTES or offset[2]:
        return blur(block, offset, size[1], (), False)
    return overwrite(block, offset, _filled(byte, size[1]), size, sure)


def _low_byte(byte: Num) -> Num:
    return num.wrap(byte, Int(8, False))


def _filled(byte: Num, size: int) -> dict[int, Cell]:
    low = _low_byte(byte)
    cells: dict[int, Cell] = {}
    at = 0
    while at < size:
        width = min(PIECE, size - at)
        if low[2]:
            width = 1
        value = int.from_bytes(bytes([low[0]]) * width, "little")
        cells[at] = (width, "u", ((num.const(value) if not low[2] else low), (), False))
        at += width
    return cells


def copy(target: Block, to: Num, source: Block, start: Num, size: Num, sure: bool) -> Block:
    """memmove between two blocks, or within one."""
    cells = cells_of(source, start[0], size[1]) if not start[2] else None
    if cells is None:
        return blur(target, to, size[1], all_pointers(source), may_be_unset(source))
    return overwrite(target, to, cells, size, sure)
