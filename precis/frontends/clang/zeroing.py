"""The parts of an object that a braced initialiser leaves to zero (C17 6.7.9 paragraph 21)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.types import bit_range
from precis.ir.types import BitRange

_MANY = 16  # that many elements are zeroed in one go, with their padding


@dataclass(frozen=True, slots=True)
class ZeroBits:
    type: CType
    offset: int
    bits: BitRange


def zeroes(type_: CType, covered: Iterable[tuple[int, int]]) -> list[ZeroBits | tuple[int, int]]:
    """Byte ranges (offset, size) and bit-fields outside `covered`, which is in bits.

    Padding is in none of them, except inside unions and long arrays.
    """
    spans = sorted(covered)
    found: list[ZeroBits | tuple[int, int]] = []
    for gap in _gaps(type_, 0, spans):
        last = found[-1] if found else None
        if isinstance(gap, tuple) and isinstance(last, tuple) and sum(last) == gap[0]:
            found[-1] = (last[0], last[1] + gap[1])
        else:
            found.append(gap)
    return found


def _gaps(
    type_: CType, offset: int, spans: Sequence[tuple[int, int]]
) -> Iterator[ZeroBits | tuple[int, int]]:
    inside = _within(spans, 8 * offset, 8 * (offset + type_.size))
    if any(first <= 8 * offset and last >= 8 * (offset + type_.size) for first, last in inside):
        return
    if not inside and _is_solid(type_):
        yield (offset, type_.size)
    elif type_.sort is Sort.ARRAY:
        yield from _array_gaps(type_, offset, inside)
    elif type_.sort is Sort.RECORD and type_.is_union:
        yield (offset, type_.size)
    elif type_.sort is Sort.RECORD:
        yield from _record_gaps(type_, offset, inside)


def _record_gaps(
    type_: CType, offset: int, spans: Sequence[tuple[int, int]]
) -> Iterator[ZeroBits | tuple[int, int]]:
    for field in type_.fields:
        if field.width is None:
            if field.type.size > 0:
                yield from _gaps(field.type, offset + field.offset // 8, spans)
        elif field.name:
            first = 8 * offset + field.offset
            if not _within(spans, first, first + field.width):
                bits = bit_range(field.offset, field.width)
                yield ZeroBits(field.type, offset + field.offset // 8, bits)


def _array_gaps(
    type_: CType, offset: int, spans: Sequence[tuple[int, int]]
) -> Iterator[ZeroBits | tuple[int, int]]:
    element, count = type_.inner, type_.count or 0
    size = element.size
    if size <= 0:
        return
    touched: set[int] = set()
    for first, last in spans:
        low, high = (first // 8 - offset) // size, ((last + 7) // 8 - offset - 1) // size
        touched.update(range(max(low, 0), min(high + 1, count)))
    next_index = 0
    for index in [*sorted(touched), count]:
        run = index - next_index
        if run and (run > _MANY or _is_solid(element)):
            yield (offset + next_index * size, run * size)
        else:
            for untouched in range(next_index, index):
                yield from _gaps(element, offset + untouched * size, ())
        if index < count:
            yield from _gaps(element, offset + index * size, spans)
        next_index = index + 1


def _within(spans: Sequence[tuple[int, int]], low: int, high: int) -> list[tuple[int, int]]:
    """The spans that overlap a range of bits; spans are sorted."""
    start = bisect_left(spans, (low, low))
    if start and spans[start - 1][1] > low:
        start -= 1
    found = []
    while start < len(spans) and spans[start][0] < high:
        found.append(spans[start])
        start += 1
    return found


def _is_solid(type_: CType) -> bool:
    """Has it no padding?"""
    match type_.sort:
        case Sort.ARRAY:
            return _is_solid(type_.inner)
        case Sort.RECORD:
            if type_.is_union or any(f.width is not None for f in type_.fields):
                return False
            sizes = sum(max(f.type.size, 0) for f in type_.fields)
            return sizes == type_.size and all(_is_solid(f.type) for f in type_.fields)
        case Sort.FLOAT:
            return True
        case _:
            return type_.is_scalar
