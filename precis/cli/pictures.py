"""A snapshot of a run's memory -> a picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from precis.cli.picture_rows import Line, lines_of
from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row
from precis.interp.heap import Arrow as Pointer
from precis.interp.heap import BlockView, Cell, FrameView, Snapshot
from precis.interp.heap import Mark as CellMark
from precis.ir.location import NOWHERE

MANY_GLOBALS = 12  # from there on, those that are zero throughout are left out
FRAMES_SHOWN = 12  # at each end of a deep stack

_KINDS = {
    "heap": BoxKind.HEAP,
    "stack": BoxKind.STACK,
    "global": BoxKind.GLOBAL,
    "literal": BoxKind.LITERAL,
}


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a block is drawn: a box of its own, or rows of the box of a frame or the globals."""

    box: str
    lines: tuple[Line, ...]
    prefix: str
    whole: str  # the port of the block as a whole, empty if it is the box


def picture_of(snapshot: Snapshot) -> Picture:
    return _Drawing(snapshot).picture()


class _Drawing:
    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.homes: dict[int, _Home] = {}
        self.notes: list[str] = []
        self.pointed: dict[int, set[int]] = defaultdict(set)
        for cell in _all_cells(snapshot):
            if cell.arrow is not None:
                self.pointed[cell.arrow.block].add(cell.arrow.offset)
        self.tags = _numbered(snapshot)

    def picture(self) -> Picture:
        boxes = [*self._globals(), *self._frames()]
        blocks = {view.number: view for view in self.snapshot.heap}
        boxes += [self._block(blocks[number]) for number in self.tags]
        # Where arrows end is known once every block has its home.
        arrows: list[Arrow] = []
        drawn = tuple(self._with_arrows(box, lines, arrows) for box, lines in boxes)
        at = self.snapshot.at
        title = f"{PurePath(at.file).name}, before line {at.line}"
        return Picture(title, drawn, tuple(arrows), tuple(self.notes))

    def _globals(self) -> Iterator[tuple[Box, list[Line]]]:
        views = self.snapshot.globals
        shown = [view for view in views if self._is_worth_it(view)]
        if len(views) <= MANY_GLOBALS:
            shown = list(views)
        elif len(shown) < len(views):
            self.notes.append(f"{len(views) - len(shown)} more globals, all zero, are not shown")
        lines = [line for view in shown for line in self._inside("globals", view)]
        if lines:
            yield Box("globals", "globals", BoxKind.GLOBAL), lines

    def _is_worth_it(self, view: BlockView) -> bool:
        zero = all(
            cell.mark is CellMark.NULL or (cell.mark is CellMark.PLAIN and cell.text == "0")
            for cell in view.cells
        )
        return not zero or view.number in self.pointed

    def _frames(self) -> Iterator[tuple[Box, list[Line]]]:
        frames = list(enumerate(self.snapshot.frames))
        if len(frames) > 2 * FRAMES_SHOWN:
            left_out = len(frames) - 2 * FRAMES_SHOWN
            self.notes.append(f"{left_out:,} frames in the middle of the stack are not shown")
            frames = frames[:FRAMES_SHOWN] + frames[-FRAMES_SHOWN:]
        for index, frame in frames:
            key = f"frame {index}"
            waits = frame is not self.snapshot.frames[-1]
            note = f"line {frame.at.line}" if waits else ""
            box = Box(key, frame.procedure, BoxKind.FRAME, note=note)
            yield box, [*self._variables(frame), *self._objects(key, frame)]

    def _variables(self, frame: FrameView) -> Iterator[Line]:
        for index, cell in enumerate(frame.variables):
            for line in lines_of(_alone(cell), cell.label, frozenset()):
                row = replace(line.row, port=f"variable {index}")
                yield replace(line, row=row, cell=cell)

    def _objects(self, key: str, frame: FrameView) -> Iterator[Line]:
        for view in frame.objects:
            yield from self._inside(key, view)

    def _inside(self, box: str, view: BlockView) -> Iterator[Line]:
        """The rows of a block in the box of a frame."""
        prefix = f"{view.number}:"
        lines = lines_of(view, view.name, frozenset(self.pointed[view.number]))
        if not lines:
            lines = (Line(Row(view.name, "", Mark.HEADING, "+0"), 0, view.size),)
        whole = f"{prefix}{lines[0].row.port}"
        self.homes[view.number] = _Home(box, lines, prefix, whole)
        for line in lines:
            yield replace(line, row=replace(line.row, port=f"{prefix}{line.row.port}"))

    def _block(self, view: BlockView) -> tuple[Box, list[Line]]:
        key = f"block {view.number}"
        lines = lines_of(view, "", frozenset(self.pointed[view.number]))
        self.homes[view.number] = _Home(key, lines, "", "")
        kind = _KINDS.get(view.kind, BoxKind.HEAP)
        note = ""
        if view.state != "live":
            kind, note = BoxKind.FREED, view.state
        elif kind is BoxKind.GLOBAL:
            kind = BoxKind.STACK  # of the library: nothing starts there
        title = _title(view)
        return Box(key, title, kind, (), f"#{self.tags[view.number]}", note), list(lines)

    def _with_arrows(self, box: Box, lines: Iterable[Line], arrows: list[Arrow]) -> Box:
        rows = []
        for line in lines:
            row = line.row
            if line.cell is not None and line.cell.arrow is not None:
                row = self._pointer(box.key, row, line.cell.arrow, arrows)
            rows.append(row)
        return replace(box, rows=tuple(rows))

    def _pointer(self, box: str, row: Row, pointer: Pointer, arrows: list[Arrow]) -> Row:
        home = self.homes.get(pointer.block)
        if home is None:
            return replace(row, mark=Mark.PLAIN, value="→ not shown")
        port, exact = _port(home, pointer.offset)
        style = ArrowStyle.SOLID if pointer.state == "live" else ArrowStyle.DANGLING
        arrows.append(Arrow(End(box, row.port), End(home.box, port), style=style))
        return row if exact else replace(row, value=f"+{pointer.offset}")


def _port(home: _Home, offset: int) -> tuple[str, bool]:
    """The row an offset lies in, and whether the row starts there."""
    if offset == 0:
        return home.whole, True
    for line in home.lines:
        heads = line.row.mark is Mark.HEADING and line.start == offset
        if heads or line.start <= offset < line.end:
            return home.prefix + line.row.port, line.start == offset
    return home.whole, False


def _title(view: BlockView) -> str:
    if view.kind == "literal":
        return "string"
    if view.type == f"unsigned char[{view.size}]":
        return f"{view.size} bytes"
    return view.type or f"{view.size} bytes"


def _alone(cell: Cell) -> BlockView:
    """A variable, dressed as a block of one cell."""
    return BlockView(0, "", "stack", cell.size, "live", "", NOWHERE, (replace(cell, label=""),))


def _all_cells(snapshot: Snapshot) -> Iterator[Cell]:
    for view in snapshot.globals:
        yield from view.cells
    for frame in snapshot.frames:
        yield from frame.variables
        for view in frame.objects:
            yield from view.cells
    for view in snapshot.heap:
        yield from view.cells


def _numbered(snapshot: Snapshot) -> dict[int, int]:
    """Numbers for blocks, depth first from the frames, then from the globals, then the rest."""
    blocks = {view.number: view for view in snapshot.heap}
    starts = [cell for frame in snapshot.frames for cell in _cells_of(frame)]
    starts += [cell for view in snapshot.globals for cell in view.cells]
    met = [cell.arrow.block for cell in starts if cell.arrow is not None]
    tags: dict[int, int] = {}
    for start in (*met, *blocks):
        stack = [start]
        while stack:
            number = stack.pop()
            if number in blocks and number not in tags:
                tags[number] = len(tags) + 1
                held = [c.arrow.block for c in blocks[number].cells if c.arrow is not None]
                stack.extend(reversed(held))
    return tags


def _cells_of(frame: FrameView) -> Iterator[Cell]:
    yield from frame.variables
    for view in frame.objects:
        yield from view.cells
