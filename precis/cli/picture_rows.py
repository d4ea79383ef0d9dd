"""The cells of a block as rows of a picture.

Cells come flat, each with its path (`items[2].key`). Here they become what a reader expects:
text for arrays of characters, `{1, 2, 3}` for arrays nobody points into, a heading with deeper
rows for the rest; long arrays keep their first elements and their last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from precis.domains.picture import Mark, Row
from precis.interp.heap import BlockView, Cell
from precis.interp.heap import Mark as CellMark

FIRST_SHOWN = 8  # elements of a long array; the last one follows
MOST_ROWS = 60
_TOKEN = re.compile(r"\[\d+\]|[^.\[\]]+")
_ESCAPES = {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


@dataclass(frozen=True, slots=True)
class Line:
    """A row and the part of its block it shows; `cell` if that is one scalar."""

    row: Row
    start: int
    end: int
    cell: Cell | None = None


@dataclass(slots=True)
class _Node:
    """A part of an object: a scalar, or parts by name or index."""

    parts: dict[str, _Node] = field(default_factory=dict)
    cell: Cell | None = None

    def cells(self) -> list[Cell]:
        own = [self.cell] if self.cell is not None else []
        return own + [cell for part in self.parts.values() for cell in part.cells()]

    @property
    def is_array(self) -> bool:
        return bool(self.parts) and all(name[0] == "[" for name in self.parts)

    @property
    def is_flat_array(self) -> bool:
        return self.is_array and all(part.cell is not None for part in self.parts.values())


def lines_of(view: BlockView, name: str, pointed: frozenset[int]) -> tuple[Line, ...]:
    """The rows of a block; with a name, as part of a frame. `pointed` are the offsets in it
    that some pointer holds."""
    root = _tree(view.cells)
    cut = view.cells[-1] if view.omitted else None
    lines = [*_Rows(pointed, cut).of(root, name, 0 if name else -1)]
    if view.omitted and not root.is_flat_array:
        gap = Row(f"… {view.omitted} more", mark=Mark.GAP, port="+rest")
        lines.append(Line(gap, lines[-1].end, view.size))
    if len(lines) <= MOST_ROWS:
        return tuple(lines)
    rest = lines[MOST_ROWS - 1 :]
    gap = Row(f"… {len(rest)} more", mark=Mark.GAP)
    return (*lines[: MOST_ROWS - 1], Line(gap, rest[0].start, rest[-1].end))


def _tree(cells: Sequence[Cell]) -> _Node:
    root = _Node()
    for cell in cells:
        node = root
        for token in _TOKEN.findall(cell.label):
            node = node.parts.setdefault(token, _Node())
        if node.cell is not None:  # members of a union without names
            node = node.parts.setdefault(f"@{len(node.parts)}", _Node())
        node.cell = cell
    return root


@dataclass(frozen=True, slots=True)
class _Rows:
    pointed: frozenset[int]
    cut: Cell | None  # the cell after which others were left out

    def of(self, node: _Node, label: str, depth: int) -> Iterator[Line]:
        """The rows of a part at a depth; the whole of a block of its own stands at -1."""
        if node.cell is not None:
            yield self._scalar(node.cell, label, max(depth, 0))
            for name, part in node.parts.items():
                yield from self.of(part, name, max(depth, 0))
            return
        cells = node.cells()
        if not cells:
            return
        start, end = cells[0].offset, cells[-1].offset + cells[-1].size
        short = self._in_one_row(node, cells)
        if short is not None:
            text, mark = short
            yield Line(Row(label, text, mark, f"+{start}", max(depth, 0)), start, end)
            return
        if depth >= 0:
            yield Line(Row(label, "", Mark.HEADING, f"all of +{start}", depth), start, start)
        yield from self._parts(node, depth + 1)

    def _parts(self, node: _Node, depth: int) -> Iterator[Line]:
        for hidden, run in groupby(self._shown(node), key=lambda pair: pair[0]):
            names = [name for _, name in run]
            if not hidden:
                for name in names:
                    yield from self.of(node.parts[name], name, depth)
                continue
            start = node.parts[names[0]].cells()[0].offset
            last = node.parts[names[-1]].cells()[-1]
            gap = Row(f"… {len(names)} more", "", Mark.GAP, f"+{start}", depth)
            yield Line(gap, start, last.offset + last.size)

    def _shown(self, node: _Node) -> Iterator[tuple[bool, str]]:
        """The parts, each with whether it is left out: not an element that is pointed to."""
        long = node.is_array and len(node.parts) > FIRST_SHOWN + 2
        for index, (name, part) in enumerate(node.parts.items()):
            near_end = index < FIRST_SHOWN or index == len(node.parts) - 1
            held = long and any(cell.offset in self.pointed for cell in part.cells())
            yield long and not near_end and not held, name

    def _scalar(self, cell: Cell, label: str, depth: int) -> Line:
        mark, text = _value(cell)
        row = Row(label, text, mark, f"+{cell.offset}", depth)
        return Line(row, cell.offset, cell.offset + cell.size, cell)

    def _in_one_row(self, node: _Node, cells: Sequence[Cell]) -> tuple[str, Mark] | None:
        """An array of numbers as one text, unless an arrow must start or end inside."""
        inner = {cell.offset for cell in cells[1:]}
        if not node.is_flat_array or inner & self.pointed:
            return None
        marks = {cell.mark for cell in cells}
        if marks == {CellMark.UNSET}:
            return "", Mark.UNSET
        if not marks <= {CellMark.PLAIN, CellMark.UNSET}:
            return None
        goes_on = "…" if cells[-1] is self.cut else ""
        string = _string(cells, goes_on)
        if string is not None:
            return string, Mark.STRING
        return _listed(cells, goes_on), Mark.PLAIN


def _value(cell: Cell) -> tuple[Mark, str]:
    match cell.mark:
        case CellMark.PLAIN:
            return Mark.PLAIN, cell.text
        case CellMark.POINTER:
            return Mark.POINTER, ""
        case CellMark.NULL:
            return Mark.NULL, ""
        case CellMark.UNSET:
            return Mark.UNSET, ""
        case CellMark.INVALID:
            return Mark.PLAIN, f"{cell.text} (no block)"


def _listed(cells: Sequence[Cell], goes_on: str) -> str:
    texts = ["?" if cell.mark is CellMark.UNSET else cell.text for cell in cells]
    if goes_on:
        texts = [*texts[:FIRST_SHOWN], goes_on]
    elif len(texts) > FIRST_SHOWN + 2:
        texts = [*texts[:FIRST_SHOWN], "…", texts[-1]]
    return "{" + ", ".join(texts) + "}"


def _string(cells: Sequence[Cell], goes_on: str) -> str | None:
    """The text in an array of bytes, if it reads as text; what follows its end is not shown."""
    if any(cell.size != 1 for cell in cells):
        return None
    content = bytearray()
    for cell in cells:
        if cell.mark is CellMark.UNSET or not cell.text.lstrip("-").isdigit():
            return None
        byte = int(cell.text) & 255
        if byte == 0:
            break
        content.append(byte)
    else:
        return _quoted(content) + goes_on if _is_text(content) else None
    rest = cells[len(content) :]
    if not content and any(cell.text not in ("0", "") for cell in rest):
        return None
    return _quoted(content) if _is_text(content) else None


def _is_text(content: bytearray) -> bool:
    return all((byte >= 32 and byte != 127) or byte in (9, 10, 13) for byte in content)


def _quoted(content: bytearray) -> str:
    text = content.decode("utf-8", "backslashreplace")
    return '"' + "".join(_ESCAPES.get(ord(c), c) for c in text) + '"'
