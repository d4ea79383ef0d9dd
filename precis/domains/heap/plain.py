"""Does memory hold pointers to heap blocks? Asked of callers where what they had is overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from precis.domains.heap.guards import ALWAYS, PERHAPS, Bracket
from precis.domains.heap.names import TOP, UNDEFINED, Kind, Name, Value, is_region
from precis.domains.heap.sets import Values
from precis.domains.heap.state import State
from precis.ir.instr import BlockKind

# From where to where, counted from a pointer (None: all there is), and where it is known anyway.
Bytes: TypeAlias = tuple[int | None, int | None, tuple[int, ...]]


def is_plain(state: State, value: Value, where: Bytes) -> Bracket:
    """Do bytes around a pointer hold nothing of a pointer to a heap block?"""
    base = value.base
    if base is None or base.kind is Kind.CODE:
        return ALWAYS
    guards = state.frame.theory.guards
    if base in (TOP, UNDEFINED):
        return PERHAPS
    if guards.possible(guards.both(state.unknown(base).may, state.reach.may)):
        return PERHAPS
    if not value.is_constant:
        where = (None, None, ())
    moved = value.number[0] if value.is_constant else 0
    if any(_leads_to_heap(state, values) for values in _within(state, base, moved, where)):
        return PERHAPS
    if not is_region(base) or state.frame.is_root:
        return ALWAYS
    low, high, known = where
    return asked(
        state, base,
        (
            None if low is None else low + moved,
            None if high is None else high + moved,
            tuple(at + moved for at in known),
        ),
    )  # fmt: skip


def asked(state: State, base: Name, where: Bytes) -> Bracket:
    """The same of memory that was there at entry, as a condition on callers."""
    width = state.frame.program.model.pointer_bytes
    written = (at for at, size in state.cells.get(base, {}) if size == width)
    low, high, known = where
    inside = sorted({*known, *written})
    return state.frame.theory.flag_of(("plain", base, low, high, tuple(inside)), base)


def _within(state: State, base: Name, moved: int, where: Bytes) -> Iterator[Values]:
    low, high, known = where
    for (at, size), values in state.cells.get(base, {}).items():
        start = at - moved
        beside = low is not None and high is not None and (start >= high or start + size <= low)
        if not beside and start not in known:
            yield values
    for spread in state.spreads.get(base, ()):
        yield spread.content()


def _leads_to_heap(state: State, values: Values) -> bool:
    for value in values:
        base = value.base
        if base is None or base is UNDEFINED:
            continue
        block = state.blocks.get(base)
        if base is TOP or (block is not None and block.kind is BlockKind.HEAP):
            return True
        if base.kind in (Kind.IN, Kind.ARGUMENT) and not state.frame.is_root:
            return True
    return False
