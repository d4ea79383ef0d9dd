"""Memory at a line of the program, as plain values for pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from precis.interp.cells import Reading
from precis.interp.faults import Arrived, Fault
from precis.interp.machine import Activation, Machine
from precis.interp.memory import NULL, WILD, Block
from precis.interp.memory import Pointer as PointerValue
from precis.interp.outcome import Inputs, Settings
from precis.interp.run import bounded
from precis.interp.steps import Mode
from precis.ir.instr import BlockKind
from precis.ir.location import Location
from precis.ir.program import Program
from precis.ir.types import Array, Float, Function, Int, Layout, Pointer, Record, Type, Void

MOST_ELEMENTS = 64  # of an array, or bytes of a block of unknown type


class Mark(Enum):
    """What kind of value a cell holds."""

    PLAIN = "plain"
    POINTER = "pointer"
    NULL = "null"
    UNSET = "unset"
    INVALID = "invalid"  # a pointer to no block


@dataclass(frozen=True, slots=True)
class Arrow:
    """To the block with that number; `state` tells whether it still lives."""

    block: int
    offset: int
    state: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar: `label` is its path inside its block, such as `next` or `in[2].key`."""

    label: str
    offset: int
    size: int
    text: str
    mark: Mark
    arrow: Arrow | None = None


@dataclass(frozen=True, slots=True)
class BlockView:
    number: int
    name: str
    kind: str
    size: int
    state: str
    type: str
    made: Location
    cells: tuple[Cell, ...]
    omitted: int = 0  # cells left out of a long array


@dataclass(frozen=True, slots=True)
class FrameView:
    procedure: str
    at: Location
    variables: tuple[Cell, ...]
    objects: tuple[BlockView, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Frames are outermost first; the heap holds its live blocks, and whatever else is pointed
    to and is not part of a frame or of the globals: freed blocks, literals, dead objects."""

    at: Location
    frames: tuple[FrameView, ...]
    globals: tuple[BlockView, ...]
    heap: tuple[BlockView, ...]


def snapshot_at(
    program: Program, inputs: Inputs, settings: Settings, line: int, visit: int = 1
) -> Snapshot | None:
    """Memory when the run gets to the line for the given time, before the line's first step."""
    machine = Machine(program, inputs, settings, Mode.COUNTED, lambda descriptor, content: None)
    machine.compiler.line_to_stop_at = line
    found: list[Snapshot] = []
    visits = 0
    last: tuple[int, int] | None = None

    def arrive() -> None:
        nonlocal visits, last
        activations = machine.activations_now()
        now = (len(activations), machine.steps)
        if last is None or last != (now[0], now[1] - 1):
            visits += 1
        last = now
        if visits == visit:
            found.append(_Viewer(machine, activations).view())
            raise Arrived

    machine.on_arrival = arrive
    bounded(machine, settings.timeout)
    return found[0] if found else None


def type_text(type_: Type | None) -> str:
    """A type as C names it, roughly."""
    match type_:
        case Int(bits=bits, signed=signed):
            names = {8: "char", 16: "short", 32: "int", 64: "long", 128: "__int128"}
            return ("" if signed else "unsigned ") + names.get(bits, f"int{bits}")
        case Float(bits=bits):
            return {32: "float", 64: "double"}.get(bits, "long double")
        case Pointer(target=target):
            return f"{type_text(target)} *"
        case Array(element=element, count=count):
            return f"{type_text(element)}[{count if count is not None else ''}]"
        case Record(name=name):
            return name
        case Function():
            return "function"
        case Void():
            return "void"
        case _:
            return ""


class _Viewer:
    """Reads one machine. The types of heap blocks are those of the pointers that lead there."""

    def __init__(self, machine: Machine, activations: tuple[Activation, ...]) -> None:
        self.machine = machine
        self.activations = activations
        self.records = machine.program.records
        self.types: dict[int, Type] = {}
        self.blocks: dict[int, Block] = {}
        self.pending: deque[Block] = deque()

    def view(self) -> Snapshot:
        frames = tuple(
            self._frame(activation)
            for activation in reversed(self.activations)
            if not activation.procedure.library
        )
        statics = tuple(
            self._block(block) for block in self.machine.globals if self._is_shown(block)
        )
        shown = {view.number for frame in frames for view in frame.objects}
        shown |= {view.number for view in statics}
        heap: dict[int, BlockView] = {}
        for start in (None, *self.machine.memory.heap.values()):
            if start is not None:
                self.pending.append(start)
            while self.pending:
                block = self.pending.popleft()
                if block.number not in heap and block.number not in shown:
                    heap[block.number] = self._block(block)
        ordered = tuple(heap[number] for number in sorted(heap))
        return Snapshot(self.activations[0].at, frames, statics, ordered)

    def _is_shown(self, block: Block) -> bool:
        """Variables of the user's program, no literals and nothing of the models."""
        known = self.machine.program.globals.get(block.name)
        sources = self.machine.program.sources
        user = known is not None and (not sources or known.at.file in sources)
        return user and block.kind is BlockKind.GLOBAL

    def _frame(self, activation: Activation) -> FrameView:
        procedure, held = activation.procedure, activation.variables
        cells = []
        for number, variable in enumerate(procedure.variables):
            if variable.name and f"v{number}" in held:
                value = held[f"v{number}"]
                cells.append(self._cell(variable.name, 0, 0, variable.type, value))
        objects = []
        for number in range(len(procedure.objects)):
            block = held.get(f"b{number}")
            if isinstance(block, Block) and block.limit >= 0 and block.name:
                objects.append(self._block(block))
        return FrameView(procedure.name, activation.at, tuple(cells), tuple(objects))

    def _block(self, block: Block) -> BlockView:
        type_ = block.type or self._repeated(block)
        cells: list[Cell] = []
        omitted = 0
        if block.limit >= 0 and type_ is not None:
            for label, offset, scalar, layout_bits in self._scalars(type_, "", 0, block.size):
                if len(cells) == MOST_ELEMENTS:
                    omitted += 1
                    continue
                cells.append(self._read(block, label, offset, scalar, layout_bits))
        return BlockView(
            block.number,
            block.name,
            block.kind.value,
            block.size,
            block.state.value,
            type_text(type_),
            block.made,
            tuple(cells),
            omitted,
        )

    def _repeated(self, block: Block) -> Type | None:
        """A heap block of several elements is an array of what its pointers point to."""
        type_ = self.types.get(block.number)
        if type_ is None:
            return Array(Int(8, False), block.size) if block.size else None
        size = self._size(type_)
        if size and block.size >= 2 * size:
            return Array(type_, block.size // size)
        return type_

    def _container(self, part: Type, offset: int, size: int) -> Type | None:
        """The one record of the size that has such a part at the offset: an intrusive list
        leads to the middle of its elements."""
        found = [
            name
            for name, layout in self.records.items()
            if isinstance(part, Record)
            and layout.size == size
            and any(f.type == part and f.offset == offset for f in layout.fields)
        ]
        return Record(found[0]) if len(found) == 1 else None

    def _size(self, type_: Type) -> int:
        match type_:
            case Record(name=name):
                layout = self.records.get(name)
                return layout.size if layout is not None else 0
            case Array(element=element, count=count):
                return self._size(element) * (count or 0)
            case Int(bits=bits):
                return bits // 8
            case Float(bits=bits):
                return bits // 8 if bits < 80 else 16
            case Pointer():
                return self.machine.program.model.pointer_bytes
            case _:
                return 0

    def _scalars(
        self, type_: Type, label: str, offset: int, limit: int
    ) -> Iterator[tuple[str, int, Type, Any]]:
        match type_:
            case Record(name=name) if name in self.records:
                yield from self._fields(self.records[name], label, offset, limit)
            case Array(element=element, count=count):
                size = self._size(element)
                if count is None:
                    count = max(limit - offset, 0) // size if size else 0
                for index in range(count):
                    inner = f"{label}[{index}]"
                    yield from self._scalars(element, inner, offset + index * size, limit)
            case Int() | Float() | Pointer():
                if offset + self._size(type_) <= limit:
                    yield label, offset, type_, None

    def _fields(
        self, layout: Layout, label: str, offset: int, limit: int
    ) -> Iterator[tuple[str, int, Type, Any]]:
        for field in layout.fields:
            path = f"{label}.{field.name}" if label and field.name else field.name or label
            if field.bits is not None:
                yield path, offset + field.offset, field.type, field.bits
            else:
                yield from self._scalars(field.type, path, offset + field.offset, limit)

    def _read(self, block: Block, label: str, offset: int, type_: Type, bits: Any) -> Cell:
        cells = self.machine.cells
        size = bits.bytes if bits is not None else self._size(type_)
        try:
            if bits is not None:
                assert isinstance(type_, Int)
                value: Any = cells.load_bits(type_, bits, Reading.CHECKED)(block, offset)
            else:
                value = cells.loader(type_, Reading.CHECKED)(block, offset)
        except Fault:
            value = None
        return self._cell(label, offset, size, type_, value)

    def _cell(self, label: str, offset: int, size: int, type_: Type, value: Any) -> Cell:
        if value is None:
            return Cell(label, offset, size, "", Mark.UNSET)
        if isinstance(value, tuple):
            return self._pointer(label, offset, size, type_, value)
        text = f"{value:g}" if isinstance(value, float) else str(int(value))
        return Cell(label, offset, size, text, Mark.PLAIN)

    def _pointer(
        self, label: str, offset: int, size: int, type_: Type, value: PointerValue
    ) -> Cell:
        block, at = value
        if block is NULL:
            return Cell(label, offset, size, "null", Mark.NULL)
        if block is WILD:
            return Cell(label, offset, size, f"{at:#x}", Mark.INVALID)
        if block.kind is BlockKind.CODE:
            return Cell(label, offset, size, block.procedure, Mark.PLAIN)
        if isinstance(type_, Pointer) and block.number not in self.types:
            target = type_.target if not at else self._container(type_.target, at, block.size)
            if target is not None and self._size(target):
                self.types[block.number] = target
        self.pending.append(block)
        arrow = Arrow(block.number, at, block.state.value)
        return Cell(label, offset, size, "", Mark.POINTER, arrow)
