"""Abstract blocks: their cells, and what loads, stores, copies and fills do to them.

A block stands for one block of memory, or, if it is `many`, for any number of them. Its bytes
are in *cells*, which do not overlap and hold a value each, and in the *rest*: all other bytes.
What is known of the rest is one thing for all of it: it may be zero, it may be unset, and it
may have been written with values of one size at one alignment, or of any.

Nothing here looks at whether an access is valid: that is judged before.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias, final

from precis.domains.values import num
from precis.domains.values.num import Num
from precis.domains.values.value import (
    SOMEWHERE,
    UNSET,
    ZERO,
    Pointers,
    Value,
    any_of,
    as_pointer,
    join,
    join_pointers,
    renamed,
)
from precis.ir.types import Float, Int, Pointer, Type

LIVE, FREED, ENDED = 1, 2, 4
MOST_CELLS: Final = 600  # beyond, all cells go into the rest
MOST_PLACES: Final = 40  # of an access whose offset is not certain, looked at one by one
WIDEST: Final = 16  # bytes of a cell

Cell: TypeAlias = tuple[int, str, Value]  # size; s(igned), u(nsigned), p(ointer), f(loat); value


class Rest(NamedTuple):
    """The bytes outside the cells. `size` 0: never written; -1: written in different ways;
    else every write was of `size` bytes at an offset that is `phase` modulo it."""

    zero: bool
    unset: bool
    size: int = 0
    phase: int = 0
    kind: str = "u"
    value: Value | None = None


_NOUGHT: Final[Value] = (ZERO, (), False)
ALL_ZERO: Final = Rest(True, False)
ALL_UNSET: Final = Rest(False, True)
UNKNOWN_BYTES: Final[Value] = (num.of_type(Int(64, False)), SOMEWHERE, False)
ANYTHING: Final = Rest(True, True, -1, 0, "u", UNKNOWN_BYTES)


@final
class Block:
    """Immutable. `site` says where it comes from; `held`: callers have a pointer to it."""

    __slots__ = ("_key", "cells", "held", "kind", "live", "many", "rest", "site", "size")

    def __init__(
        self, kind: str, size: Num, live: int, many: bool, cells: dict[int, Cell], rest: Rest,
        site: tuple[str, int, int], held: bool = False,
    ) -> None:  # fmt: skip
        self.kind = kind  # as in ir.instr.BlockKind, or "mixed", or "outside"
        self.size = size
        self.live = live
        self.many = many
        self.cells = cells
        self.rest = rest
        self.site = site
        self.held = held
        self._key: tuple[object, ...] | None = None

    def key(self) -> tuple[object, ...]:
        found = self._key
        if found is None:
            cells = tuple(sorted(self.cells.items()))
            found = self._key = (
                self.kind, self.size, self.live, self.many, self.held, self.rest, cells,
            )  # fmt: skip
        return found

    def having(self, cells: dict[int, Cell], rest: Rest) -> Block:
        return Block(self.kind, self.size, self.live, self.many, cells, rest, self.site, self.held)

    def being(self, live: int, many: bool, held: bool) -> Block:
        return Block(self.kind, self.size, live, many, self.cells, self.rest, self.site, held)

    def pointers(self) -> list[Value]:
        """The values in it that hold addresses."""
        found = [cell[2] for cell in self.cells.values() if cell[2][1]]
        if self.rest.value is not None and self.rest.value[1]:
            found.append(self.rest.value)
        return found


def kind_of(type_: Type) -> str:
    if isinstance(type_, Int):
        return "s" if type_.signed else "u"
    return "p" if isinstance(type_, Pointer) else "f"


# Reading.


def load(block: Block, offset: Num, size: int, type_: Type) -> Value:
    """What a read of a scalar gives. The offset's values are all taken to be valid."""
    if not offset[2]:
        return load_at(block, offset[0], size, type_)
    if num.count(offset) <= MOST_PLACES:
        found: Value | None = None
        for place in num.values_of(offset):
            value = load_at(block, place, size, type_)
            found = value if found is None else join(found, value)
        assert found is not None
        return found
    return _load_anywhere(block, offset, size, type_)


def load_at(block: Block, offset: int, size: int, type_: Type) -> Value:
    cell = block.cells.get(offset)
    if cell is not None and cell[0] == size:
        return converted(cell, type_)
    over = overlapping(block.cells, offset, size)
    if not over:
        return from_rest(block.rest, offset, size, type_)
    exact = _exact_bytes(block, over, offset, size)
    if exact is not None:
        return _of_bytes(exact, type_)
    return _mixed(block, over, offset, size, type_)


def converted(cell: Cell, type_: Type) -> Value:
    """The value of a cell of the right size, read as another type of that size."""
    _, kind, value = cell
    wanted = kind_of(type_)
    if kind == wanted:
        return value
    if kind == "f" or wanted == "f":
        if value == UNSET:
            return value
        return _anything(type_, value[1], value[2])
    if wanted == "p":
        # Whether an integer's address still lies in its block is not known here.
        found = as_pointer(value)
        return (found[0], join_pointers(found[1], SOMEWHERE), found[2]) if value[1] else found
    assert isinstance(type_, Int)
    number = value[0]
    if number is None:
        return value
    return (num.wrap(number, type_), value[1], value[2])


def _anything(type_: Type, pointers: Pointers, unset: bool) -> Value:
    number, mine, _ = any_of(type_)
    if isinstance(type_, Float):
        return (number, (), unset)
    return (number, join_pointers(mine, pointers), unset)


def from_rest(rest: Rest, offset: int, size: int, type_: Type) -> Value:
    found: Value | None = None
    if rest.value is not None:
        if rest.size == size and (offset - rest.phase) % size == 0:
            found = converted((size, rest.kind, rest.value), type_)
        else:
            found = _anything(type_, rest.value[1], rest.value[2])
    if rest.zero:
        found = _NOUGHT if found is None else join(found, _NOUGHT)
    if rest.unset:
        found = UNSET if found is None else join(found, UNSET)
    return found if found is not None else (None, (), False)


def _mixed(
    block: Block, over: list[tuple[int, Cell]], offset: int, size: int, type_: Type
) -> Value:
    """Bytes of several cells, or a part of one."""
    pointers: Pointers = ()
    unset = False
    covered = 0
    for at, (width, _, value) in over:
        pointers = join_pointers(pointers, value[1])
        unset = unset or value[2]
        covered += min(at + width, offset + size) - max(at, offset)
    if covered < size:
        rest = from_rest(block.rest, offset, size, type_)
        pointers = join_pointers(pointers, rest[1])
        unset = unset or rest[2]
    if pointers:
        pointers = SOMEWHERE
    return _anything(type_, pointers, unset)


def _load_anywhere(block: Block, offset: Num, size: int, type_: Type) -> Value:
    """Reading at one of very many places."""
    found = from_rest(block.rest, offset[0], size, type_)
    if block.rest.size > 0 and (block.rest.size != size or offset[2] % size):
        value = block.rest.value
        assert value is not None
        found = join(found, _anything(type_, value[1], value[2]))
    for at, cell in block.cells.items():
        if at + cell[0] <= offset[0] or at >= offset[1] + size:
            continue
        if cell[0] == size and num.contains(offset, at):
            found = join(found, converted(cell, type_))
            if offset[2] % size == 0:
                continue
        found = join(found, _mixed(block, [(at, cell)], at, cell[0], type_))
    return found


def _exact_bytes(
    block: Block, over: list[tuple[int, Cell]], offset: int, size: int
) -> bytes | None:
    """The bytes, if all are known numbers."""
    area = bytearray(size)
    known = 0
    for at, (width, kind, value) in over:
        number, pointers, unset = value
        if number is None or number[2] or pointers or unset or kind == "f":
            return None
        data = (number[0] & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        low, high = max(at, offset), min(at + width, offset + size)
        area[low - offset : high - offset] = data[low - at : high - at]
        known += high - low
    if known < size and block.rest != ALL_ZERO:
        return None
    return bytes(area)


def _of_bytes(data: bytes, type_: Type) -> Value:
    value = int.from_bytes(data, "little")
    if isinstance(type_, Int):
        return (num.const(type_.wrap(value)), (), False)
    if isinstance(type_, Float):
        return any_of(type_)
    return as_pointer((num.const(value), (), False))


def overlapping(cells: dict[int, Cell], offset: int, size: int) -> list[tuple[int, Cell]]:
    """The cells that share bytes with these, in order."""
    end = offset + size
    if len(cells) <= WIDEST + size:
        return sorted((at, c) for at, c in cells.items() if at < end and at + c[0] > offset)
    found = []
    for at in range(offset - WIDEST + 1, end):
        cell = cells.get(at)
        if cell is not None and at + cell[0] > offset:
            found.append((at, cell))
    return found


# Writing.


def store(block: Block, offset: Num, size: int, kind: str, value: Value, sure: bool) -> Block:
    """A write of a scalar; not `sure` if the block keeps its old value in some memories."""
    if not offset[2]:
        cells = dict(block.cells)
        _put(block, cells, offset[0], (size, kind, value), sure)
        return _limited(block.having(cells, block.rest))
    if num.count(offset) <= MOST_PLACES:
        cells = dict(block.cells)
        for place in num.values_of(offset):
            _put(block, cells, place, (size, kind, value), False)
        return _limited(block.having(cells, block.rest))
    return _store_anywhere(block, offset, size, kind, value)


def _put(block: Block, cells: dict[int, Cell], at: int, cell: Cell, sure: bool) -> None:
    size, kind, value = cell
    known = cells.get(at)
    if known is not None and known[0] == size:
        cells[at] = cell if sure else joined_cell(known, cell)
        return
    over = overlapping(cells, at, size)
    if not sure:
        rest = block.rest
        if not over and (rest.value is None or kind == rest.kind):
            old = from_rest(rest, at, size, type_of(kind, size))
            cells[at] = (size, kind, join(old, value))
            return
        old = _mixed(block, over, at, size, type_of("u", size))
        if old[1] or value[1]:
            old = (old[0], SOMEWHERE, old[2])
        for place, other in over:
            cut_out(cells, place, other, at, size)
        cells[at] = (size, "u", join(old, degraded(value, size)))
        return
    for place, other in over:
        cut_out(cells, place, other, at, size)
    cells[at] = cell


def cut_out(cells: dict[int, Cell], at: int, cell: Cell, offset: int, size: int) -> None:
    """Take the bytes from a cell; what is left of it on either side is new cells."""
    del cells[at]
    width, kind, value = cell
    end = at + width
    for low, high in ((at, min(offset, end)), (max(offset + size, at), end)):
        if low < high:
            cells[low] = (high - low, "u", part_of(value, kind, low - at, high - low))


def part_of(value: Value, kind: str, start: int, size: int) -> Value:
    number, pointers, unset = value
    if number is not None and not number[2] and not pointers and kind != "f":
        part = (number[0] >> (8 * start)) & ((1 << 8 * size) - 1)
        return (num.const(part), (), unset)
    if number is None and not pointers and kind != "f":
        return value
    return degraded(value, size)


def degraded(value: Value, size: int) -> Value:
    """Any bytes, with the same pointers hidden in them."""
    pointers = SOMEWHERE if value[1] else ()
    return (num.of_type(Int(8 * size, False)), pointers, value[2])


def type_of(kind: str, size: int) -> Type:
    if kind == "p":
        return Pointer(Int(8, False))
    return Float(8 * size) if kind == "f" else Int(8 * size, kind == "s")


def joined_cell(old: Cell, new: Cell) -> Cell:
    """Two cells of one size; of different kinds, the bits count."""
    size, kind, value = new
    if old[1] == kind:
        return (size, kind, join(old[2], value))
    if value == UNSET:
        return (size, old[1], join(old[2], value))
    if old[2] == UNSET:
        return (size, kind, join(old[2], value))
    if {kind, old[1]} == {"u", "p"}:
        null = (value if kind == "u" else old[2]) == _NOUGHT
        return (size, "p" if null else "u", join(old[2], value))
    if "f" in (kind, old[1]):
        return (size, "u", join(degraded(old[2], size), degraded(value, size)))
    as_unsigned = Int(8 * size, False)
    return (size, "u", join(converted(old, as_unsigned), converted(new, as_unsigned)))


def _store_anywhere(block: Block, offset: Num, size: int, kind: str, value: Value) -> Block:
    """A write at one of very many places changes all of them a little."""
    cells: dict[int, Cell] = {}
    for at, cell in block.cells.items():
        if at + cell[0] <= offset[0] or at >= offset[1] + size:
            cells[at] = cell
        elif cell[0] == size and offset[2] % size == 0 and (at - offset[0]) % size == 0:
            cells[at] = joined_cell(cell, (size, kind, value))
        else:
            joined = join(degraded(cell[2], cell[0]), degraded(value, cell[0]))
            cells[at] = (cell[0], "u", joined)
    phase = offset[0] % size if offset[2] % size == 0 else -1
    return _limited(block.having(cells, rest_with(block.rest, size, phase, kind, value)))


def rest_with(rest: Rest, size: int, phase: int, kind: str, value: Value) -> Rest:
    """The rest, some of which was written."""
    if rest.value is None and phase >= 0:
        return Rest(rest.zero, rest.unset, size, phase, kind, value)
    if phase >= 0 and rest.value is not None and (rest.size, rest.phase) == (size, phase):
        _, joined_kind, joined = joined_cell((size, rest.kind, rest.value), (size, kind, value))
        return Rest(rest.zero, rest.unset, size, phase, joined_kind, joined)
    old = rest.value or value
    pointers = SOMEWHERE if old[1] or value[1] else ()
    mixed: Value = (UNKNOWN_BYTES[0], pointers, old[2] or value[2])
    return Rest(rest.zero, rest.unset, -1, 0, "u", mixed)


def _limited(block: Block) -> Block:
    return smashed(block) if len(block.cells) > MOST_CELLS else block


def smashed(block: Block) -> Block:
    """All cells go into the rest."""
    rest = block.rest
    covered = sum(cell[0] for cell in block.cells.values())
    if not block.size[2] and covered >= block.size[0]:
        rest = Rest(False, False)
    plain = []
    for at, (size, kind, value) in sorted(block.cells.items()):
        if value in (UNSET, _NOUGHT):
            plain.append((at, size, kind, value))
        else:
            rest = rest_with(rest, size, at % size, kind, value)
    for at, size, kind, value in plain:
        if value == UNSET:
            rest = rest._replace(unset=True)
        elif rest.size > 0 and (rest.size, rest.phase) != (size, at % size):
            # Half of what is written in one piece elsewhere may be zero here.
            rest = rest_with(rest, size, at % size, kind, value)
        else:
            rest = rest._replace(zero=True)
    return block.having({}, rest)


# Order.


def rename_block(block: Block, names: dict[int, int]) -> Block:
    changed = False
    cells = block.cells
    for at, (size, kind, value) in block.cells.items():
        if value[1]:
            fresh = renamed(value, names)
            if fresh is not value:
                if not changed:
                    cells, changed = dict(cells), True
                cells[at] = (size, kind, fresh)
    rest = block.rest
    if rest.value is not None and rest.value[1]:
        rest = rest._replace(value=renamed(rest.value, names))
    if not changed and rest is block.rest:
        return block
    return block.having(cells, rest)
