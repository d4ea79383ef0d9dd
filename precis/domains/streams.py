"""How the models keep streams: `struct __precis_file` of frontends/models/stream.h."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from precis.ir.types import Layout

RECORD: Final = "__precis_file"
SLOT: Final = 8  # bytes of an argument behind the format
# What reading changes, with the numbers it may become.
_CHANGED: Final[Mapping[str, tuple[int, int]]] = {"at_end": (0, 1), "pushed": (-1, 255)}
_ZERO: Final = ("closed", "medium")


def changed_by_reading(layout: Layout) -> Iterator[tuple[int, tuple[int, int]]]:
    """Offsets and ranges of what reading from a stream changes."""
    for field in layout.fields:
        if field.name in _CHANGED:
            yield field.offset, _CHANGED[field.name]


def zero_if_plain(layout: Layout) -> Iterator[int]:
    """Offsets of what is zero as long as a stream is open and stands for a descriptor."""
    return (field.offset for field in layout.fields if field.name in _ZERO)
