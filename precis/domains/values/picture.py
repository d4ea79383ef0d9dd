"""A summary of `values` as pictures: what comes in, and each way out."""

from __future__ import annotations

from collections.abc import Callable

from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row
from precis.domains.protocol import Exit, Summary
from precis.domains.values import num
from precis.domains.values.calls import Entry
from precis.domains.values.memory import LIVE, Block
from precis.domains.values.state import State
from precis.domains.values.text import size_text
from precis.domains.values.value import UNKNOWN, ZERO, Value
from precis.domains.values.world import World

MOST_ROWS = 12
_KINDS = {
    "heap": BoxKind.HEAP, "stack": BoxKind.STACK, "global": BoxKind.GLOBAL,
    "literal": BoxKind.LITERAL,
}  # fmt: skip


def pictures(
    world: World, name: Callable[[int], str], text: Callable[[Value], str],
    summary: Summary[Entry, State],
) -> list[Picture]:  # fmt: skip
    """The entry, then each outcome."""
    procedure = world.program.procedures[summary.piece.procedure]
    labels = [procedure.variables[p].name or f"argument {p}" for p in procedure.parameters]
    rows = list(zip(labels, summary.coverage.values, strict=True))
    drawn = [
        _Drawing(name, text).picture(f"{procedure.name}: entry", rows, summary.coverage.blocks)
    ]
    for number, outcome in enumerate(summary.outcomes, 1):
        title = f"{procedure.name}: way out {number}"
        if outcome.exit is not Exit.RETURN:
            drawn.append(Picture(title, (), (), ("the program ends",)))
            continue
        answer = outcome.answer
        result: Value = (answer.numbers[0], *answer.parts[0])
        drawn.append(_Drawing(name, text).picture(title, [("result", result)], answer.blocks))
    return drawn


class _Drawing:
    def __init__(self, name: Callable[[int], str], text: Callable[[Value], str]) -> None:
        self._name = name
        self._text = text
        self._arrows: list[Arrow] = []
        self._blocks: dict[int, Block] = {}

    def picture(
        self, title: str, rows: list[tuple[str, Value]], blocks: dict[int, Block]
    ) -> Picture:
        self._blocks = blocks
        frame = tuple(self._row("frame", label, value) for label, value in rows)
        boxes = [Box("frame", title, BoxKind.FRAME, frame)]
        boxes.extend(self._box(block, blocks[block]) for block in sorted(blocks))
        return Picture(title, tuple(boxes), tuple(self._arrows))

    def _row(self, box: str, label: str, value: Value) -> Row:
        number, pointers, unset = value
        drawn = [block for block, _ in pointers if block in self._blocks]
        style = ArrowStyle.SOLID
        if len(pointers) > 1 or number is not None or unset:
            style = ArrowStyle.DASHED
        for block, offset in pointers:
            if block in drawn:
                wide = offset[1] - offset[0] >= 1 << 60
                shown = "" if offset == ZERO else "anywhere" if wide else f"+{num.text(offset)}"
                dead = not self._blocks[block].live & LIVE
                how = ArrowStyle.DANGLING if dead else style
                self._arrows.append(Arrow(End(box, label), End(str(block)), shown, how))
        if drawn:
            other = [p for p in pointers if p[0] not in self._blocks and p[0] != UNKNOWN]
            rest: Value = (number, tuple(other), unset)
            text = self._text(rest) if number is not None or other or unset else ""
            if number == ZERO and not other and not unset:
                text = "null"
            return Row(label, text, Mark.POINTER, label)
        if number == ZERO and pointers:
            return Row(label, self._text(value), Mark.PLAIN)
        if value == (None, (), True):
            return Row(label, "", Mark.UNSET)
        return Row(label, self._text(value))

    def _box(self, name: int, block: Block) -> Box:
        key = str(name)
        rows = []
        for at in sorted(block.cells)[:MOST_ROWS]:
            rows.append(self._row(key, f"+{at}", block.cells[at][2]))
        if len(block.cells) > MOST_ROWS:
            rows.append(Row("", f"{len(block.cells) - MOST_ROWS} more", Mark.GAP))
        kind = _KINDS.get(block.kind, BoxKind.HEAP)
        if block.many:
            kind = BoxKind.SUMMARY
        if not block.live & LIVE:
            kind = BoxKind.FREED
        return Box(key, self._name(name), kind, tuple(rows), note=size_text(block.size))
