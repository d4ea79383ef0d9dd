"""Pictures too large for paper, cut down to what is near the frames."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

from precis.domains.picture import Arrow, Box, End, Mark, Picture, Row
from precis.reports.layers import FIRST_COLUMN
from precis.reports.terminal import safe

_LABEL, _VALUE, _LINE = 40, 60, 160  # characters


def shortened(picture: Picture, limit: int) -> Picture:
    """The picture with at most `limit` boxes, texts of bounded length, and a note on the rest."""
    kept = set(_nearest(picture)[:limit])
    boxes = [box for box in picture.boxes if box.key in kept]
    arrows = [arrow for arrow in picture.arrows if arrow.source.box in kept]
    lost = {arrow.source for arrow in arrows if arrow.target.box not in kept}
    notes = picture.notes
    left_out = len(picture.boxes) - len(boxes)
    if left_out:
        notes = (*notes, f"and {left_out:,} more {'block' if left_out == 1 else 'blocks'}")
    return Picture(
        _clipped(picture.title, _LINE),
        tuple(_fitted(box, lost) for box in boxes),
        tuple(_labelled(arrow) for arrow in arrows if arrow.target.box in kept),
        tuple(_clipped(note, _LINE) for note in notes),
    )


def _nearest(picture: Picture) -> list[str]:
    """All keys: frames first, then by the number of arrows from there, then the rest."""
    after: dict[str, list[str]] = defaultdict(list)
    for arrow in picture.arrows:
        after[arrow.source.box].append(arrow.target.box)
    present = {box.key for box in picture.boxes}
    waiting = deque(box.key for box in picture.boxes if box.kind in FIRST_COLUMN)
    order: dict[str, None] = {}
    for start in (None, *picture.boxes):
        if start is not None:
            waiting.append(start.key)
        while waiting:
            key = waiting.popleft()
            if key in present and key not in order:
                order[key] = None
                waiting.extend(after[key])
    return list(order)


def _fitted(box: Box, lost: set[End]) -> Box:
    rows = tuple(_row(row, End(box.key, row.port) in lost) for row in box.rows)
    return replace(
        box, title=_clipped(box.title, _LABEL), note=_clipped(box.note, _LABEL), rows=rows
    )


def _row(row: Row, cut: bool) -> Row:
    value, mark = row.value, row.mark
    if cut and row.port:
        value, mark = f"{value} → not shown".strip(), Mark.PLAIN
    return replace(row, label=_clipped(row.label, _LABEL), value=_clipped(value, _VALUE), mark=mark)


def _labelled(arrow: Arrow) -> Arrow:
    return replace(arrow, label=_clipped(arrow.label, _LABEL))


def _clipped(text: str, length: int) -> str:
    shown = safe(text[: length + 1])
    return text if len(text) <= length and len(shown) <= length else shown[: length - 1] + "…"
