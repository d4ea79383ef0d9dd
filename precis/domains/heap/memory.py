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
from typing import Any, Final, TypeAlias

from precis.domains.heap.arithmetic import part, viewed
from precis.domains.heap.frame import FAR, CellName
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, TRUE, Bracket
from precis.domains.heap.initial import initial
from precis.domains.heap.names import (
    TOP,
    UNDEFINED,
    UNSET,
    Kind,
    Name,
    Value,
    constant,
    is_deep,
    is_place,
    is_region,
    name,
    numbers,
    somewhere,
)
from precis.domains.heap.sets import (
    SOME_SET,
    TOP_SET,
    Values,
    chosen,
    is_known,
    mapped,
    only,
    pruned,
    side_by_side,
    under,
    union,
)
from precis.domains.heap.spreads import MOST_SPREADS, Spread, gathered, hits, laid_over
from precis.domains.heap.state import Extent, State
from precis.domains.heap.strings import byte_of_text
from precis.domains.protocol import GiveUp
from precis.domains.values import num
from precis.ir.instr import Content
from precis.ir.types import U8, VOID_POINTER, Float, Int, Pointer, Type, scalar_bytes

MOST_PLACES: Final = 16  # of an access whose offset is not fixed
MOST_DEPTH: Final = 4  # how far unknown memory is followed from an argument
_How: TypeAlias = tuple[Type, tuple[Any, ...] | None]


# Reading.


def load(state: State, address: Values, type_: Type, key: tuple[Any, ...] | None = None) -> Values:
    """What a scalar read through the address is, where the address is good; a pointer that is
    read somewhere in memory that was there at entry is named after the step, if it has a key."""
    guards = state.frame.theory.guards
    size = scalar_bytes(type_, state.frame.program.model)
    parts = []
    for value, b in address.items():
        if value.base is TOP:
            parts.append(under(guards, _anything(type_), b))
        elif value.base is not None and value.base is not UNDEFINED:
            found = _load_from(state, value, size, (type_, key), b.may)
            parts.append(under(guards, found, b))
    if not parts:
        return _anything(type_)
    return pruned(state.frame.theory, union(guards, parts), state.reach.may)


def _anything(type_: Type) -> Values:
    if isinstance(type_, Int):
        return only(numbers(num.of_type(type_)))
    return SOME_SET if isinstance(type_, Float) else TOP_SET


def _load_from(state: State, value: Value, size: int, how: _How, where: int) -> Values:
    assert value.base is not None
    type_, key = how
    guards = state.frame.theory.guards
    places = list(_places(state, value, size, where))
    if not places:
        return _read_somewhere(state, value, type_, where, key)
    parts = []
    for offset, b in places:
        held = load_cell(state, value.base, offset, size, type_, guards.both(where, b.may))
        parts.append(under(guards, held, b))
    return parts[0] if len(parts) == 1 else union(guards, parts)


def _places(state: State, value: Value, size: int, where: int) -> Iterator[tuple[int, Bracket]]:
    """The offsets that an address may have, and when; nothing if they are too many."""
    if value.is_constant:
        yield value.number[0], ALWAYS
        return
    theory = state.frame.theory
    if value.base is not None and is_region(value.base) and not state.frame.is_root:
        return
    bounds = theory.bounds(value, theory.guards.both(state.reach.may, where))
    if num.count(bounds) > MOST_PLACES or bounds[2] % size:
        return
    number = Value(None, value.linear, value.number)
    for offset in num.values_of(bounds):
        yield offset, theory.equal_numbers(number, constant(offset))


def load_cell(
    state: State, base: Name, offset: int, size: int, type_: Type, where: int = TRUE
) -> Values:
    """What one cell holds, which is asked where a guard holds."""
    theory = state.frame.theory
    state.frame.note_type((base, offset, size), type_)
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
        found = _assembled(state, base, (offset, size), overlapping, type_)
    if found is None:
        found = _partly(state, base, offset, type_, [extent for extent, _ in overlapping])
    if is_region(base):
        note_others(state, base, (offset, size), where)
        if offset == 0 and size == 1:
            state.frame.texts[base] = None
    return mapped(theory.guards, found, lambda v: viewed(theory, v, type_, state.reach.may))


def _assembled(
    state: State, base: Name, extent: Extent, cells: list[tuple[Extent, Values]], type_: Type
) -> Values | None:
    """What cells in an extent, or across its borders, hold together; None if these are not numbers
    that are known."""
    if isinstance(type_, Float):
        return None
    guards, (start, size) = state.frame.theory.guards, extent
    pieces = {byte: (byte, 1) for byte in range(start, start + size)}
    held = dict(cells)
    for low, length in held:
        inside = range(max(start, low), min(start + size, low + length))
        pieces.update(dict.fromkeys(inside, (low, length)))
    if not all(is_known(value) for values in held.values() for value in values):
        return None
    found: Values = only(constant(0))
    for low, length in dict.fromkeys(pieces.values()):
        values = held.get((low, length))
        if values is None:
            values = default(state, base, low, U8)
        first, last = max(start, low), min(start + size, low + length)
        cut = partial(part, skip=first - low, size=last - first, type_size=length)
        more = side_by_side(guards, found, mapped(guards, values, cut), 8 * (first - start))
        if more is None:
            return None
        found = more
    return found


def _partly(state: State, base: Name, offset: int, type_: Type, extents: list[Extent]) -> Values:
    """What a cell holds that others lie across: anything, where one of these was written."""
    anything = _anything(type_)
    marks = state.written.get(base)
    if not is_region(base) or marks is None or not all(extent in marks for extent in extents):
        return anything
    guards = state.frame.theory.guards
    touched = NEVER
    for extent in extents:
        touched = guards.any_of(touched, marks[extent])
    before = default(state, base, offset, type_)
    kept = guards.opposite(touched)
    return union(guards, [under(guards, anything, touched), under(guards, before, kept)])


def _holds(extent: Extent, offset: int, size: int) -> bool:
    return extent[0] <= offset and offset + size <= extent[0] + extent[1]


def default(state: State, base: Name, offset: int, type_: Type) -> Values:
    """What a cell holds that was not written by itself since its block was there."""
    size = scalar_bytes(type_, state.frame.program.model)
    before = _before(state, base, offset, type_)
    spreads = state.spreads.get(base, ())
    return laid_over(state.frame.theory, spreads, constant(offset), size, before)


def _before(state: State, base: Name, offset: int, type_: Type) -> Values:
    """What a cell was made with, or held at entry; or what a step that nobody knows put there."""
    if base.kind is Kind.CODE:
        return TOP_SET
    return _or_anything(state, base, type_, _as_made(state, base, offset, type_))


def _or_anything(state: State, base: Name, type_: Type, found: Values) -> Values:
    unknown = state.unknown(base)
    if unknown.may == FALSE:
        return found
    return chosen(state.frame.theory.guards, unknown, _anything(type_), found)


def _as_made(state: State, base: Name, offset: int, type_: Type) -> Values:
    block = state.blocks.get(base)
    if block is not None:
        return only(UNSET if block.content is Content.INDETERMINATE else constant(0))
    if base.kind is Kind.GLOBAL:
        known = initial(state.frame.program, str(base.parts[0]), offset, type_)
        unchanged = state.frame.program.globals[str(base.parts[0])].constant
        if known is not None and (state.frame.is_root or unchanged):
            return only(known)
    return _at_entry(state, base, offset, type_)


def _at_entry(state: State, base: Name, offset: int | Value, type_: Type) -> Values:
    if base.depth >= MOST_DEPTH or not is_region(base) or isinstance(type_, Float):
        return _anything(type_)
    view = VOID_POINTER if isinstance(type_, Pointer) else type_
    return state.frame.unknown(name(Kind.IN, base, offset, view))


def _read_somewhere(
    state: State, value: Value, type_: Type, where: int, key: tuple[Any, ...] | None
) -> Values:
    """A cell of a block whose offset is not a fixed number."""
    base = value.base
    assert base is not None
    theory = state.frame.theory
    guards = theory.guards
    size = scalar_bytes(type_, state.frame.program.model)
    offset = Value(None, value.linear, value.number)
    if is_region(base) and is_known_outside(offset):
        found = _at_entry(state, base, offset, type_)
    elif is_region(base) and key is not None and isinstance(type_, Pointer):
        found = _at_entry(state, base, somewhere(offset, key), type_)
    elif is_region(base):
        here = guards.both(where, state.reach.may)
        found = byte_of_text(state.frame, value, type_, here) or _anything(type_)
    else:
        found = _as_made(state, base, 0, type_)
    found = _or_anything(state, base, type_, found)
    spreads = state.spreads.get(base, ())
    found = laid_over(theory, spreads, offset, size, found)
    marks = state.written.get(base, {}) if is_region(base) else {}
    for (start, length), held in state.cells.get(base, {}).items():
        when = marks.get((start, length), ALWAYS)
        cell = Spread(constant(start), length, tuple(held.items()), when, None)
        found = laid_over(theory, (cell,), offset, size, found)
    if is_region(base):
        _note_spread(state, base, where)
    return mapped(guards, found, lambda v: viewed(theory, v, type_, state.reach.may))


def is_known_outside(offset: Value) -> bool:
    """Is an offset a sum of unknowns at entry, which callers can tell?"""
    return offset.number[0] == offset.number[1] and all(
        _is_outside(symbol) for symbol, _ in offset.linear
    )


def _is_outside(symbol: Name) -> bool:
    if symbol.kind is Kind.TERM:
        return all(_is_outside(s) for v in symbol.parts[1:3] for s, _ in v.linear)
    if symbol.kind is Kind.ANY:
        return is_place(symbol) and not is_deep(symbol.parts[0])
    return symbol.kind in (Kind.ARGUMENT, Kind.IN, Kind.AFTER, Kind.BEFORE, Kind.LENGTH)


def _note_spread(state: State, base: Name, where: int) -> None:
    """A cell at an unknown offset of memory that was there at entry was used: another name is
    the same, or is taken to be another block."""
    frame = state.frame
    if frame.is_root:
        return
    when = frame.theory.guards.both(where, state.reach.may)
    for other in dict.fromkeys((*state.written, *state.spreads)):
        if other is base or not is_region(other):
            continue
        if other.kind is Kind.GLOBAL and base.kind is Kind.GLOBAL:
            continue
        frame.want(base, other, 0, when)
        frame.apart((base, other, -FAR, FAR, 0), when)


def note_text(state: State, base: Name, where: int) -> None:
    """All that a name leads to was looked at, as it was at entry."""
    _note_spread(state, base, where)


def note_others(state: State, base: Name, extent: Extent, where: int = TRUE) -> None:
    """What was there at entry may have been written by another name: note that it matters, where
    a guard holds."""
    frame = state.frame
    if frame.is_root:
        return
    if any(is_region(other) and other is not base for other in state.spreads):
        _note_spread(state, base, where)
    guards = frame.theory.guards
    where = guards.both(where, state.reach.may)
    for other, written in state.written.items():
        if other is base or (other.kind is Kind.GLOBAL and base.kind is Kind.GLOBAL):
            continue
        for (start, length), mark in written.items():
            when = guards.both(where, mark.may)
            if not guards.possible(when):
                continue
            one, two = (base, *extent), (other, start, length)
            if frame.may_be_one(one, two):
                frame.want_one(one, two, when)
            frame.apart_in_part(one, two, when)


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
            state = spread(state, target, size, value, (b, type_))
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
        frame.note_type((base, *extent), type_)
    b = state.hit(base, b)
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
    if any(is_region(other) and other is not base for other in state.spreads):
        _note_spread(state, base, b.may)
    if not frame.is_root:
        frame.notes.written[base, *extent] = None
        _note_order(state, (base, *extent), b)
    marks = {e: w for e, w in state.written.get(base, {}).items() if e not in inside}
    known = marks.get(extent, NEVER)
    if inside and b != ALWAYS:
        known = PERHAPS
        for part_of in inside:
            frame.recut((base, *part_of), (base, *extent))
    marks[extent] = frame.theory.guards.any_of(known, b)
    return replace(state, written={**state.written, base: marks})


def _note_order(state: State, cell: CellName, b: Bracket) -> None:
    """A cell is written under a condition: what was written before it in the same run?"""
    guards = state.frame.theory.guards
    where = guards.both(b.may, state.reach.may)
    for other, marks in state.written.items():
        for extent, mark in marks.items():
            when = guards.both(where, mark.may)
            if other is not cell[0] and guards.possible(when):
                state.frame.stored((other, *extent), cell, when)


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
                state.frame.recut((base, start, size), (base, one, two - one))
    state = state.with_cells(base, found)
    return replace(state, written={**state.written, base: marks}) if marks else state


def _crosses(extent: Extent, border: int) -> bool:
    return extent[0] < border < extent[0] + extent[1]


def smeared(state: State, target: Value, size: Value, byte: Values, b: Bracket) -> State:
    """So many bytes from a place on may each have got a value."""
    theory = state.frame.theory
    if size.base is not None:
        raise GiveUp("memory of unknown size is written")
    where = theory.guards.both(state.reach.may, b.may)
    low, high, _ = theory.bounds(Value(None, target.linear, target.number), where)
    most = theory.bounds(size, where)[1]
    if most <= 0:
        return state
    place = Value(target.base, (), num.make(low, high + most - 1))
    return spread(state, place, 1, byte, (Bracket(b.may, FALSE), U8))


def spread(
    state: State, target: Value, size: int, value: Values, how: tuple[Bracket, Type | None]
) -> State:
    """A write into a block at an offset that is not a fixed number."""
    b, type_ = how
    base = target.base
    assert base is not None
    theory = state.frame.theory
    offset = Value(None, target.linear, target.number)
    if not is_known_outside(offset):
        range_ = theory.bounds(offset, theory.guards.both(state.reach.may, b.may))
        offset = Value(None, (), range_)
    b = state.hit(base, b)
    new = Spread(offset, size, tuple(value.items()), b, type_)
    cells: dict[Extent, Values] = {}
    for (start, length), old in state.cells.get(base, {}).items():
        found = laid_over(theory, (new,), constant(start), length, old)
        cells[start, length] = pruned(theory, found, state.reach.may)
    state = state.with_cells(base, cells) if cells else state
    known = (*state.spreads.get(base, ()), new)
    if len(known) > MOST_SPREADS:
        known = gathered(theory, known, state.reach.may)
    if is_region(base):
        _note_spread(state, base, b.may)
        marks = {
            extent: theory.guards.any_of(mark, hits(theory, new, constant(extent[0]), extent[1]))
            for extent, mark in state.written.get(base, {}).items()
        }
        if marks:
            state = replace(state, written={**state.written, base: marks})
    return replace(state, spreads={**state.spreads, base: known})


def fill(state: State, base: Name, extent: Extent, byte: int | None, b: Bracket) -> State:
    """Bytes of a block get one value; None: nobody knows which."""
    if byte is None:
        value = numbers(num.make(0, (1 << (8 * extent[1])) - 1))
    else:
        value = constant(int.from_bytes(bytes([byte]) * extent[1], "little"))
    return write(state, base, extent, only(value), b, None)
