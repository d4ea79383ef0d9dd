"""The source line of a place, with a caret under it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from precis.ir.location import Location
from precis.reports.terminal import safe

_WIDTH = 120  # of the part of a line that is shown


def excerpt(at: Location) -> tuple[str, ...]:
    """Two lines, the source and its caret; nothing if the text cannot be had."""
    lines = _lines(at.file)
    if not 1 <= at.line <= len(lines):
        return ()
    line = lines[at.line - 1].rstrip("\r\n").expandtabs(1)
    start = max(at.column - 1, 0)
    end = at.end_column - 1 if at.end_line == at.line and at.end_column > at.column else start + 1
    first = max(0, start - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown = line[first : first + _WIDTH]
    caret = " " * len(safe(line[first:start])) + "^" + "~" * max(0, min(end, len(line)) - start - 1)
    gutter = f"{at.line:5d} | "
    if not at.column:
        return (gutter + safe(shown),)
    return (gutter + safe(shown), " " * 5 + " | " + caret[: _WIDTH + 20])


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text("utf-8", "replace").split("\n"))
    except (OSError, ValueError):
        return ()
