"""What a piece of memory holds, cell by cell, for copies of it."""

from __future__ import annotations

from collections.abc import Iterator

from precis.domains.heap import memory
from precis.domains.heap.guards import ALWAYS
from precis.domains.heap.names import ANYTHING, NULL, TOP, UNSET, Name, Value, is_region
from precis.domains.heap.sets import TOP_SET, Values, only
from precis.domains.heap.state import Extent, State
from precis.ir.instr import Content, Copy
from precis.ir.types import Array, Int, Pointer, Record, Type, scalar_bytes


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
            yield (covered, offset - covered), None, _gap(state, base)
        yield (offset, length), state.frame.types.get((base, start + offset, length)), values
        covered = max(covered, offset + length)
    if covered < size:
        yield (covered, size - covered), None, _gap(state, base)


def _gap(state: State, base: Name) -> Values:
    block = state.blocks.get(base)
    if block is None or base in state.spreads:
        return {ANYTHING: ALWAYS}
    return only(UNSET if block.content is Content.INDETERMINATE else NULL)
