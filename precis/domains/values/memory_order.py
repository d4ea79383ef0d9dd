"""Abstract blocks in their order: join, inclusion, widening, narrowing."""

from __future__ import annotations

from precis.domains.values import num
from precis.domains.values.memory import (
    Block,
    Cell,
    Rest,
    converted,
    degraded,
    from_rest,
    joined_cell,
    load_at,
    overlapping,
    part_of,
    rest_with,
    smashed,
    type_of,
)
from precis.domains.values.value import (
    UNSET,
    join,
    leq,
    narrow,
    widen,
)
from precis.ir.types import Int, Pointer


def join_blocks(a: Block, b: Block) -> Block:
    if a is b:
        return a
    cells: dict[int, Cell] = {}
    both = a.cells.keys() & b.cells.keys()
    same = both if len(both) == len(a.cells) == len(b.cells) else None
    if same is not None and all(a.cells[at][0] == b.cells[at][0] for at in same):
        for at in same:
            one, other = a.cells[at], b.cells[at]
            cells[at] = one if one == other else joined_cell(one, other)
    else:
        cells = _joined_cells(a, b)
    rest = _joined_rest(a.rest, b.rest)
    kind = a.kind if a.kind == b.kind else "mixed"
    site = min(a.site, b.site)
    size = a.size if a.size == b.size else num.join(a.size, b.size)
    many, held = a.many or b.many, a.held and b.held
    return Block(kind, size, a.live | b.live, many, cells, rest, site, held)


def _joined_cells(a: Block, b: Block) -> dict[int, Cell]:
    """Each cell of one is looked up in the other; where they are cut differently, bytes."""
    cells: dict[int, Cell] = {}
    torn: set[int] = set()
    for one, other in ((a, b), (b, a)):
        for at, cell in one.cells.items():
            opposite = other.cells.get(at)
            if opposite is not None and opposite[0] == cell[0]:
                cells[at] = joined_cell(cell, opposite)
            elif overlapping(other.cells, at, cell[0]):
                torn.update(range(at, at + cell[0]))
            else:
                value = from_rest(other.rest, at, cell[0], type_of(cell[1], cell[0]))
                cells[at] = (cell[0], cell[1], join(cell[2], value))
    byte = Int(8, False)
    for at in sorted(torn):
        cells[at] = (1, "u", join(load_at(a, at, 1, byte), load_at(b, at, 1, byte)))
    return cells


def _joined_rest(a: Rest, b: Rest) -> Rest:
    if a == b:
        return a
    found = Rest(a.zero or b.zero, a.unset or b.unset, a.size, a.phase, a.kind, a.value)
    if b.value is None:
        return found
    if a.value is None:
        return found._replace(size=b.size, phase=b.phase, kind=b.kind, value=b.value)
    phase = b.phase if b.size > 0 and a.size > 0 else -1
    return rest_with(found, b.size, phase, b.kind, b.value)


def leq_blocks(a: Block, b: Block) -> bool:
    if a is b:
        return True
    if (a.many and not b.many) or a.live & ~b.live or (b.held and not a.held):
        return False
    if a.kind != b.kind and b.kind != "mixed":
        return False
    if a.size != b.size and not num.leq(a.size, b.size):
        return False
    return _leq_rest(a.rest, b.rest) and _leq_cells(a, b)


def _leq_rest(a: Rest, b: Rest) -> bool:
    if a == b:
        return True
    if (a.zero and not b.zero) or (a.unset and not b.unset):
        return False
    if a.value is None:
        return True
    if b.value is None:
        return False
    if b.size == -1:
        return (not a.value[1] or bool(b.value[1])) and (not a.value[2] or b.value[2])
    if (a.size, a.phase) != (b.size, b.phase):
        return False
    return _leq_cell((a.size, a.kind, a.value), (b.size, b.kind, b.value))


def _leq_cells(a: Block, b: Block) -> bool:
    """Cell by cell; where the two are cut differently, what a read would give is compared."""
    for at, cell in b.cells.items():
        mine = a.cells.get(at)
        if mine is not None and mine[0] == cell[0]:
            if mine != cell and not _leq_cell(mine, cell):
                return False
        elif not leq(load_at(a, at, cell[0], type_of(cell[1], cell[0])), cell[2]):
            return False
    return all(
        _leq_part_in_rest(cell, at, low, high, b.rest)
        for at, cell in a.cells.items()
        if at not in b.cells or b.cells[at][0] < cell[0]
        for low, high in _uncovered(b.cells, at, at + cell[0])
    )


def _uncovered(cells: dict[int, Cell], low: int, high: int) -> list[tuple[int, int]]:
    """The parts of an area that lie in no cell."""
    found = []
    for at, cell in overlapping(cells, low, high - low):
        if low < at:
            found.append((low, at))
        low = max(low, at + cell[0])
    return [*found, (low, high)] if low < high else found


def _leq_part_in_rest(cell: Cell, at: int, low: int, high: int, rest: Rest) -> bool:
    size, kind, value = cell
    if (low, high) != (at, at + size):
        value, size, kind = part_of(value, kind, low - at, high - low), high - low, "u"
    if rest.size > 0 and (size != rest.size or (low - rest.phase) % size):
        # It would be a piece of what the rest has whole.
        return value == UNSET and rest.unset
    if rest.size > 0:
        # As the larger one is read: to convert that would make it larger still.
        type_ = type_of(rest.kind, size)
        return leq(converted((size, kind, value), type_), from_rest(rest, low, size, type_))
    return leq(value, from_rest(rest, low, size, type_of(kind, size)))


def _leq_cell(a: Cell, b: Cell) -> bool:
    if a[1] == b[1] or a[2] == UNSET:
        return leq(a[2], b[2])
    if b[1] == "u" and a[1] == "p":
        return leq(a[2], b[2])
    if b[1] == "p" and a[1] == "u":
        return leq(converted(a, Pointer(Int(8, False))), b[2])
    if b[1] == "u" and a[1] == "s":
        return leq(converted(a, Int(8 * a[0], False)), b[2])
    if b[1] == "u" and a[1] == "f":
        return leq(degraded(a[2], a[0]), b[2])
    return False


def widen_blocks(a: Block, b: Block, thresholds: tuple[int, ...]) -> Block:
    """For a below b."""
    if a is b:
        return b
    cells = {}
    for at, cell in b.cells.items():
        mine = a.cells.get(at)
        if mine is not None and mine[0] == cell[0] and mine[1] == cell[1]:
            cells[at] = (cell[0], cell[1], widen(mine[2], cell[2], thresholds))
        else:
            cells[at] = cell
    rest = b.rest
    alike = (a.rest.size, a.rest.phase, a.rest.kind) == (rest.size, rest.phase, rest.kind)
    if alike and a.rest.value is not None and rest.value is not None and rest.size != -1:
        rest = rest._replace(value=widen(a.rest.value, rest.value, thresholds))
    size = a.size if a.size == b.size else num.widen(a.size, b.size, thresholds)
    block = Block(b.kind, size, b.live, b.many, cells, rest, b.site, b.held)
    # New cells may appear only so often.
    return smashed(block) if len(b.cells) > len(a.cells) + 64 else block


def narrow_blocks(wide: Block, tight: Block) -> Block:
    cells = {}
    for at, cell in wide.cells.items():
        other = tight.cells.get(at)
        fits = other is not None and (other[0], other[1]) == (cell[0], cell[1])
        cells[at] = (
            (cell[0], cell[1], narrow(cell[2], other[2])) if fits and other is not None else cell
        )
    return wide.having(cells, wide.rest)
