"""What a piece of memory holds, cell by cell, for copies of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from precis.domains.heap import memory
from precis.domains.heap.guards import ALWAYS
from precis.domains.heap.names import ANYTHING, NULL, TOP, UNSET, Kind, Name, Value, is_region
from precis.domains.heap.sets import TOP_SET, Values, only
from precis.domains.heap.state import Extent, State
from precis.ir.instr import Content, Copy
from precis.ir.types import (
    U8,
    VOID_POINTER,
    Array,
    Int,
    Pointer,
    Record,
    Type,
    scalar_bytes,
)
from precis.ir.values import Term

_MOST_BYTES: Final = 128  # that are copied one by one


def scalars(state: State, step: Copy, size: int) -> Iterator[tuple[int, Type]]:
    """The scalars of the record that is copied, if the pointers say which."""
    program = state.frame.program
    for term in (step.source, step.target):
        type_ = term.type
        while term.op == "cast" and isinstance(term.args[0].type, Pointer):
            term = term.args[0]
            type_ = term.type
        if isinstance(type_, Pointer) and isinstance(type_.target, Record):
            layout = program.records.get(type_.target.name)
            if layout is not None and layout.size == size and not layout.union:
                yield from _leaves(state, type_.target, 0)
                return


def _leaves(state: State, type_: Type, offset: int) -> Iterator[tuple[int, Type]]:
    work: list[tuple[Type, int]] = [(type_, offset)]
    while work:
        type_, offset = work.pop()
        match type_:
            case Record(name=record):
                layout = state.frame.program.records[record]
                if layout.union:
                    continue
                for field in reversed(layout.fields):
                    if field.bits is None:
                        work.append((field.type, offset + field.offset))
            case Array(element=element, count=count) if count is not None and count <= 64:
                width = _width(state, element)
                work.extend((element, offset + at * width) for at in reversed(range(count)))
            case Int() | Pointer():
                yield offset, type_
            case _:
                pass


def _width(state: State, type_: Type) -> int:
    match type_:
        case Record(name=record):
            return state.frame.program.records[record].size
        case Array(element=element, count=count):
            return (count or 0) * _width(state, element)
        case _:
            return scalar_bytes(type_, state.frame.program.model)


def contents(
    state: State, value: Value, size: int, layout: dict[int, Type]
) -> Iterator[tuple[Extent, Type | None, Values]]:
    """The cells of a piece of memory, offsets from its start, that together are all of it."""
    base = value.base
    assert base is not None
    if base is TOP or not value.is_constant:
        yield (0, size), None, TOP_SET
        return
    start = value.number[0]
    state = memory.separated(state, base, (start, size))
    covered = 0
    known = {
        (offset - start, length): values
        for (offset, length), values in state.cells.get(base, {}).items()
        if start <= offset and offset + length <= start + size
    }
    for offset, type_ in layout.items():
        length = scalar_bytes(type_, state.frame.program.model)
        if not any(o < offset + length and offset < o + n for o, n in known):
            known[offset, length] = memory.load_cell(state, base, start + offset, length, type_)
    for (offset, length), values in sorted(known.items()):
        if is_region(base):
            memory.note_others(state, base, (start + offset, length))
        if offset > covered:
            yield from _gap(state, base, start, (covered, offset - covered))
        yield (offset, length), state.frame.types.get((base, start + offset, length)), values
        covered = max(covered, offset + length)
    if covered < size:
        yield from _gap(state, base, start, (covered, size - covered))


def _gap(
    state: State, base: Name, start: int, gap: Extent
) -> Iterator[tuple[Extent, Type | None, Values]]:
    """What was not written by itself since its block was there."""
    block = state.blocks.get(base)
    if state.unknown(base).may:
        yield gap, None, {ANYTHING: ALWAYS}
    elif block is not None and base not in state.spreads:
        yield gap, None, only(UNSET if block.content is Content.INDETERMINATE else NULL)
    elif block is None and not _is_known(state, base):
        yield gap, None, {ANYTHING: ALWAYS}
    else:
        yield from _by_bytes(state, base, start, gap)


def _is_known(state: State, base: Name) -> bool:
    """Is it a global that starts with what its initialiser says?"""
    if base.kind is not Kind.GLOBAL:
        return False
    return state.frame.is_root or state.frame.program.globals[str(base.parts[0])].constant


def _by_bytes(
    state: State, base: Name, start: int, gap: Extent
) -> Iterator[tuple[Extent, Type | None, Values]]:
    """Pointers that a global starts with, and bytes for the rest."""
    if gap[1] > _MOST_BYTES:
        yield gap, None, {ANYTHING: ALWAYS}
        return
    width = state.frame.program.model.pointer_bytes
    addresses: set[int] = set()
    if base.kind is Kind.GLOBAL:
        pieces = state.frame.program.globals[str(base.parts[0])].pieces
        addresses = {
            p.offset - start
            for p in pieces
            if isinstance(p.value, Term) and isinstance(p.value.type, Pointer)
        }
    at, end = gap[0], gap[0] + gap[1]
    while at < end:
        is_address = at in addresses and at + width <= end
        type_: Type = VOID_POINTER if is_address else U8
        length = width if is_address else 1
        yield (at, length), type_, memory.load_cell(state, base, start + at, length, type_)
        at += length
