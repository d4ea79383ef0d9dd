"""How the models keep streams: `struct __precis_file` of frontends/models/stream.h."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from precis.ir.program import Program
from precis.ir.types import Layout, Pointer, Record, Type

RECORD: Final = "__precis_file"
_MEDIUM: Final = "__precis_medium"
SLOT: Final = 8  # bytes of an argument behind the format
# What reading changes, with the numbers it may become.
_CHANGED: Final[Mapping[str, tuple[int, int]]] = {"at_end": (0, 1), "pushed": (-1, 255)}
_ZERO: Final = ("closed", "medium")


def changed_by_reading(layout: Layout) -> Iterator[tuple[int, tuple[int, int]]]:
    """Offsets and ranges of what reading from a stream changes."""
    for field in layout.fields:
        if field.name in _CHANGED:
            yield field.offset, _CHANGED[field.name]


def has_media(program: Program) -> bool:
    """Can there be streams in memory? Where there are, a medium stands behind them."""
    types = (known.type for known in program.globals.values())
    return any(isinstance(type_, Record) and type_.name == _MEDIUM for type_ in types)


def is_medium(type_: Type) -> bool:
    """Is it what leads from a stream to its medium?"""
    return isinstance(type_, Pointer) and type_.target == Record(_MEDIUM)


def zero_if_plain(layout: Layout) -> Iterator[int]:
    """Offsets of what is zero as long as a stream is open and stands for a descriptor."""
    return (field.offset for field in layout.fields if field.name in _ZERO)
