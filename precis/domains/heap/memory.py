"""Reading and writing memory through sets of addresses.

A cell is (base, offset, size). Cells of one base never overlap: what is written across the
border of a cell cuts it first. Cells of different bases are different cells, except where two
bases are unknowns at entry that may be the same: `frame.py` says how that is settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from precis.domains.heap.arithmetic import part, viewed
from precis.domains.heap.frame import Alias
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.initial import initial
from precis.domains.heap.names import (
    ANYTHING,
    TOP,
    UNDEFINED,
    UNSET,
    Kind,
    Name,
    Value,
    constant,
    is_block,
    is_region,
    name,
    numbers,
)
from precis.domains.heap.sets import TOP_SET, Values, mapped, only, pruned, under, union
from precis.domains.heap.state import Cells, Extent, State
from precis.domains.protocol import GiveUp
from precis.domains.values import num
from precis.ir.instr import Content
from precis.ir.types import VOID_POINTER, Float, Int, Pointer, Type, scalar_bytes

MOST_PLACES: Final = 16  # of an access whose offset is not fixed
MOST_DEPTH: Final = 4  # how far unknown memory is followed from an argument


# Reading.


def load(state: State, address: Values, type_: Type) -> Values:
    """What a scalar read through the address is, where the address is good."""
    guards = state.frame.theory.guards
    size = scalar_bytes(type_, state.frame.program.model)
    parts = []
    for value, b in address.items():
        if value.base is TOP:
            parts.append(under(guards, _anything(type_), b))
        elif value.base is not None and value.base is not UNDEFINED:
            parts.append(under(guards, _load_from(state, value, size, type_, b.may), b))
    if not parts:
        return _anything(type_)
    if state.wild.may:
        parts = [under(guards, found, guards.opposite(state.wild)) for found in parts]
        parts.append(under(guards, _anything(type_), state.wild))
    return pruned(state.frame.theory, union(guards, parts), state.reach.may)


def _anything(type_: Type) -> Values:
    return only(numbers(num.of_type(type_))) if isinstance(type_, Int) else TOP_SET


def _load_from(state: State, value: Value, size: int, type_: Type, where: int) -> Values:
    assert value.base is not None
    guards = state.frame.theory.guards
    places = list(_places(state, value, size, where))
    if not places:
        return _read_somewhere(state, value.base, type_)
    parts = [
        under(guards, load_cell(state, value.base, offset, size, type_), b) for offset, b in places
    ]
    return parts[0] if len(parts) == 1 else union(guards, parts)


def _places(state: State, value: Value, size: int, where: int) -> Iterator[tuple[int, Bracket]]:
    """The offsets that an address may have, and when; nothing if they are too many."""
    if value.is_constant:
        yield value.number[0], ALWAYS
        return
    theory = state.frame.theory
    bounds = theory.bounds(value, theory.guards.both(state.reach.may, where))
    if num.count(bounds) > MOST_PLACES or bounds[2] % size:
        return
    number = Value(None, value.linear, value.number)
    for offset in num.values_of(bounds):
        yield offset, theory.equal_numbers(number, constant(offset))


def load_cell(state: State, base: Name, offset: int, size: int, type_: Type) -> Values:
    """What one cell holds."""
    theory = state.frame.theory
    state.frame.types.setdefault((base, offset, size), type_)
    found: Values | None = None
    overlapping: list[tuple[Extent, Values]] = []
    for extent, values in state.cells.get(base, {}).items():
        if extent == (offset, size):
            found = values
            break
        if extent[0] < offset + size and offset < extent[0] + extent[1]:
            overlapping.append((extent, values))
    if found is None and not overlapping:
        found = default(state, base, offset, type_)
    elif found is None and len(overlapping) == 1 and _holds(overlapping[0][0], offset, size):
        ((start, whole), values) = overlapping[0]
        found = mapped(theory.guards, values, lambda v: part(v, offset - start, size, whole))
    elif found is None:
        found = _anything(type_)
    if is_region(base):
        _note_others(state, base, (offset, size))
    return mapped(theory.guards, found, lambda v: viewed(theory, v, type_, state.reach.may))


def _holds(extent: Extent, offset: int, size: int) -> bool:
    return extent[0] <= offset and offset + size <= extent[0] + extent[1]


def default(state: State, base: Name, offset: int, type_: Type) -> Values:
    """What a cell holds that was not written since its block was there."""
    if base.kind is Kind.CODE or isinstance(type_, Float):
        return TOP_SET
    block = state.blocks.get(base)
    if block is not None:
        made = only(UNSET if block.content is Content.INDETERMINATE else constant(0))
        return _with_rest(state, base, made)
    if base.kind is Kind.GLOBAL:
        known = initial(state.frame.program, str(base.parts[0]), offset, type_)
        unchanged = state.frame.program.globals[str(base.parts[0])].constant
        if known is not None and (state.frame.is_root or unchanged):
            return _with_rest(state, base, only(known))
    if base.depth >= MOST_DEPTH or not is_region(base):
        return _anything(type_)
    view = VOID_POINTER if isinstance(type_, Pointer) else type_
    unknown = state.frame.unknown(name(Kind.IN, base, offset, view))
    return _with_rest(state, base, unknown)


def _with_rest(state: State, base: Name, values: Values) -> Values:
    """With what was written somewhere into the block."""
    rest = state.rest.get(base)
    if rest is None:
        return values
    guards = state.frame.theory.guards
    return union(guards, [under(guards, values, PERHAPS), under(guards, rest, PERHAPS)])


def _read_somewhere(state: State, base: Name, type_: Type) -> Values:
    """A cell of a block, nobody knows which."""
    if is_region(base):
        return _anything(type_)
    guards = state.frame.theory.guards
    parts = [under(guards, default(state, base, 0, type_), PERHAPS)]
    for (_, size), values in state.cells.get(base, {}).items():
        exact = size == scalar_bytes(type_, state.frame.program.model)
        parts.append(under(guards, values if exact else _anything(type_), PERHAPS))
    found = union(guards, parts)
    theory = state.frame.theory
    return mapped(guards, found, lambda v: viewed(theory, v, type_, state.reach.may))


def _note_others(state: State, base: Name, extent: Extent) -> None:
    """What was there at entry may have been written by another name: note that it matters."""
    frame = state.frame
    if frame.is_root:
        return
    offset, size = extent
    for other, written in state.written.items():
        if other is base or (other.kind is Kind.GLOBAL and base.kind is Kind.GLOBAL):
            continue
        for start, length in written:
            distance = start - offset
            if length == size:
                frame.want(base, other, distance)
            if frame.alias is Alias.ALL and (length != size or size > 1):
                between = (distance - size + 1, distance + length - 1)
                frame.apart((base, other, *between, distance if length == size else None))


# Writing.


def store(state: State, address: Values, value: Values, type_: Type) -> State:
    """Write a scalar through the address, where the address is good."""
    size = scalar_bytes(type_, state.frame.program.model)
    before = state
    for target, b in address.items():
        base = target.base
        if base is None or base is UNDEFINED:
            continue
        if base is TOP:
            state = state.made_wild(b)
            continue
        places = list(_places(before, target, size, b.may))
        if not places:
            state = _write_somewhere(state, base, value, b)
        for offset, when in places:
            both = before.frame.theory.guards.all_of(b, when)
            state = write(state, base, (offset, size), value, both, type_)
    return state


def write(
    state: State, base: Name, extent: Extent, value: Values, b: Bracket, type_: Type | None
) -> State:
    """One cell gets a value under a condition, and keeps the old one otherwise."""
    frame = state.frame
    guards = frame.theory.guards
    if type_ is not None:
        frame.types.setdefault((base, *extent), type_)
    if state.is_many(base):
        b = Bracket(b.may, FALSE)
    if not guards.possible(guards.both(b.may, state.reach.may)):
        return state
    if guards.implies(state.reach.may, b.must):
        b = ALWAYS
    state = separated(state, base, extent)
    cells = dict(state.cells.get(base, {}))
    inside = [e for e in cells if _holds(extent, *e) and e != extent]
    if b != ALWAYS:
        old = cells.get(extent)
        if old is None:
            old = TOP_SET if inside or type_ is None else default(state, base, extent[0], type_)
        value = union(guards, [under(guards, value, b), under(guards, old, guards.opposite(b))])
    for gone in inside:
        del cells[gone]
    cells[extent] = pruned(frame.theory, value, state.reach.may)
    state = state.with_cells(base, cells)
    return _marked(state, base, extent, b, inside) if is_region(base) else state


def _marked(state: State, base: Name, extent: Extent, b: Bracket, inside: list[Extent]) -> State:
    """Note that a cell that was there at entry was written."""
    frame = state.frame
    for other, cells in state.written.items():
        if other is not base and not frame.is_root:
            for known in cells:
                frame.stored((other, *known), (base, *extent))
    marks = {e: w for e, w in state.written.get(base, {}).items() if e not in inside}
    known = marks.get(extent, NEVER)
    if inside and b != ALWAYS:
        known = PERHAPS
    marks[extent] = frame.theory.guards.any_of(known, b)
    return replace(state, written={**state.written, base: marks})


def separated(state: State, base: Name, extent: Extent) -> State:
    """The same with no cell across the borders of an extent."""
    low, high = extent[0], extent[0] + extent[1]
    cells = state.cells.get(base)
    if not cells or not any(_crosses(e, low) or _crosses(e, high) for e in cells):
        return state
    guards = state.frame.theory.guards
    found: dict[Extent, Values] = {}
    marks = dict(state.written.get(base, {}))
    for (start, size), values in cells.items():
        borders = [start, *(at for at in (low, high) if start < at < start + size), start + size]
        if len(borders) == 2:
            found[start, size] = values
            continue
        mark = marks.pop((start, size), None)
        for one, two in pairwise(borders):
            cut = partial(part, skip=one - start, size=two - one, type_size=size)
            found[one, two - one] = mapped(guards, values, cut)
            if mark is not None:
                marks[one, two - one] = mark
    state = state.with_cells(base, found)
    return replace(state, written={**state.written, base: marks}) if marks else state


def _crosses(extent: Extent, border: int) -> bool:
    return extent[0] < border < extent[0] + extent[1]


def _write_somewhere(state: State, base: Name, value: Values, b: Bracket) -> State:
    """A write into a block, nobody knows where."""
    if is_region(base) and not state.frame.is_root:
        raise GiveUp("something is written at an unknown place of memory that a caller provides")
    guards = state.frame.theory.guards
    perhaps = Bracket(b.may, FALSE)
    cells: dict[Extent, Values] = {}
    for extent, old in state.cells.get(base, {}).items():
        new = [under(guards, value, perhaps), under(guards, old, guards.opposite(perhaps))]
        cells[extent] = pruned(state.frame.theory, union(guards, new), state.reach.may)
    known: Values = state.rest.get(base, {})
    rest = union(guards, [known, dict.fromkeys(value, PERHAPS)])
    if len(rest) > MOST_PLACES:
        rest = {ANYTHING: PERHAPS}
    state = state.with_cells(base, cells) if cells else state
    return replace(state, rest={**state.rest, base: rest})


def fill(state: State, base: Name, extent: Extent, byte: int | None, b: Bracket) -> State:
    """Bytes of a block get one value; None: nobody knows which."""
    if byte is None:
        value = numbers(num.make(0, (1 << (8 * extent[1])) - 1))
    else:
        value = constant(int.from_bytes(bytes([byte]) * extent[1], "little"))
    return write(state, base, extent, only(value), b, None)


def copied(state: State, source: Name, start: int, size: int) -> list[tuple[Extent, Values]] | None:
    """The cells in a piece of memory, offsets counted from its start; None if not known."""
    if not is_block(source) or source.kind is Kind.GLOBAL:
        return None
    state = separated(state, source, (start, size))
    return [
        ((offset - start, length), values)
        for (offset, length), values in sorted(state.cells.get(source, {}).items())
        if start <= offset and offset + length <= start + size
    ]


def cells_of(state: State, base: Name) -> Cells:
    return state.cells.get(base, {})
