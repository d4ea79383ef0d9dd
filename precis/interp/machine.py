"""One run: its memory, its inputs, its procedures, and the stack of those that are active."""

from __future__ import annotations

import random as random_
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from struct import Struct
from types import CodeType, FrameType, GeneratorType, TracebackType
from typing import Any, Final

from precis.interp import arith, bulk, faults
from precis.interp.audit import AUDITING, NoRandom, uses_arguments
from precis.interp.cells import FORMATS, Cells, Indeterminate, Loader, Reading
from precis.interp.choose import Chooser
from precis.interp.compile import Compiler, Wanted
from precis.interp.globals import make_code, make_statics
from precis.interp.memory import NUL, NULL, Block, Memory, Pointer, State, check_free
from precis.interp.natives import native
from precis.interp.outcome import Inputs, Malloc, Settings
from precis.interp.plain import DECLINED
from precis.interp.shared import Compiled, Shared
from precis.interp.steps import UNCOUNTED, WATCHING, Mode
from precis.ir.instr import BlockKind, Content
from precis.ir.location import NOWHERE, Location
from precis.ir.procedure import LocalObject, Procedure
from precis.ir.program import Program
from precis.ir.types import Int, Type
from precis.ir.types import Pointer as PointerType

MOST_FRAMES: Final = 1_000_000
FRAME_BYTES: Final = 700  # of ours per suspended procedure, counted against the budget
TRACE_LENGTH: Final = 20
FIRST_COLLECTION: Final = 512  # heap blocks made before the first look for lost ones

Output = Callable[[int, bytes], None]
Read = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Activation:
    """A procedure that is active: where it is, and its Python variables."""

    procedure: Procedure
    place: tuple[int, int]
    variables: dict[str, Any] = field(repr=False)
    waiting: bool  # for a procedure that it called

    @property
    def at(self) -> Location:
        block, index = self.place
        if block < 0:
            return self.procedure.at
        steps = self.procedure.blocks[block].steps
        return steps[index].at if index < len(steps) else self.procedure.blocks[block].end.at


@dataclass(slots=True)
class Ended:
    """How a run ended: `stop` is None if main returned. Activations are innermost first."""

    stop: faults.Stop | None
    status: int
    activations: tuple[Activation, ...]


class Machine:
    def __init__(
        self,
        program: Program,
        inputs: Inputs,
        settings: Settings,
        mode: Mode,
        output: Output,
        read: Read | None = None,
        shared: Shared | None = None,
    ) -> None:
        self.program = program
        self.settings = settings
        self.inputs = inputs
        self.output = output
        self.steps = 0
        self.stop = -1  # the step to stop at, in the counted modes
        self.on_hit: Callable[[], None] = lambda: None
        self.on_arrival: Callable[[], None] = lambda: None
        self.on_alloc: Callable[[], None] = lambda: None
        self.is_over = False  # from here on no clock stops it
        self.most_steps = sys.maxsize  # of a watched run
        self.reached = bytearray()  # by a watched run: the blocks of the program, 1 or 0
        self.compared: list[tuple[int, int | float, int | float]] = []  # condition and numbers
        self.next_collection = FIRST_COLLECTION
        self.last_clean = 0  # the step before which no block was lost
        self.frames: list[GeneratorType[Any, Any, Any]] = []
        self.trace: deque[tuple[int, Any]] = deque(maxlen=TRACE_LENGTH)
        self._input = inputs.stdin
        self._read = read
        self.stdin_read = bytearray()
        self.asked_input = False
        width = program.model.pointer_bytes
        self.shared = shared if shared is not None else Shared(program)
        layout = _random(inputs.seed, "layout")
        self.memory = Memory(width, layout, settings.memory, len(self.shared.numbers))
        self.most_frames = MOST_FRAMES
        if settings.memory is not None:
            self.most_frames = min(MOST_FRAMES, max(1000, settings.memory // FRAME_BYTES))
        audits = mode is Mode.AUDITED
        self.memory.audited = audits
        self.memory.exposing = audits or "leaks" in settings.properties
        values: Any = NoRandom() if audits else _random(inputs.seed, "indeterminate")
        self.cells = Cells(self.memory, program.model, values)
        self._loaders: dict[Type, Loader] = {}
        self.char_pointer = PointerType(Int(8, True))
        checked = "uninitialised" in settings.properties
        self._reading = Reading.CHECKED if checked else Reading.ANY
        self.chooser = Chooser(inputs, self.memory)
        self.allocations = 0  # asked for so far, with those that failed
        self._fails = self._failing(inputs)
        codes = self.shared.codes(mode, settings.properties, settings.natives)
        self.compiler = Compiler(codes, self.cells, partial(native, self), partial(make_code, self))
        self._fill_namespace()
        self.globals = make_statics(self)

    def _failing(self, inputs: Inputs) -> Callable[[int], bool]:
        """Which allocations fail: given the number of bytes asked for."""
        memory, given = self.memory, inputs.failures
        if self.settings.malloc is Malloc.NEVER_FAILS:
            return lambda size: False
        if given is not None:
            return lambda size: self.allocations in given
        random = _random(inputs.seed, "malloc")
        rate = random.choice((0.0, 0.05, 0.25, 0.5))
        return lambda size: random.random() < rate or size + memory.used > memory.budget

    def _fill_namespace(self) -> None:
        memory, cells = self.memory, self.cells
        dead = Block(BlockKind.STACK, 0, 0, 0)
        memory_end = memory.end
        dead.limit, dead.state, dead.data = -1, State.ENDED, bytearray()
        names: dict[str, Any] = {
            "M": self, "NULL": NULL, "NUL": NUL, "DEAD": dead, "HEAP": memory.heap,
            "RESOLVE": memory.resolve, "ADDRESS": _address, "FREE": memory.free,
            "COPY": partial(bulk.copy, memory), "FILL": partial(bulk.fill, memory),
            "ALLOC": self.allocate, "ALLOCA": self.allocate_on_stack, "BEGIN": self.begin_object,
            "END": lambda block, at: memory_end(block, State.ENDED, at), "END_ALL": self.end_all,
            "CHECK_READ": cells.check_read, "CHECK_WRITE": cells.check_write,
            "CHECK_INITIALISED": cells.check_initialised, "CHECK_FREE": check_free,
            "CHECK_CALL": self.compiler.callable,
            "INDIRECT": self.compiler.callable, "GENERATOR": GeneratorType,
            "NONE": Wanted.NONE, "RESULT": Wanted.RESULT,
            "CHOOSE": self.chooser.choose, "INDETERMINATE": Indeterminate,
            "HIT": self.hit, "ARRIVE": self.arrive, "TRACE": self.trace.append,
            "EXIT": faults.Exit, "UNDEFINED": faults.Undefined, "FAULT": faults.Fault,
            "UNSUPPORTED": faults.NotSupported, "ASSUME_FAILED": faults.AssumeFailed,
            "BROKEN": faults.Broken, "ROUND32": arith.round32, "TO_F32": arith.int_to_f32,
            "FDIV": arith.float_divide, "DECLINED": DECLINED,
        }  # fmt: skip
        if self.compiler.mode in WATCHING:
            self.reached = bytearray(self.shared.blocks)
            names["REACHED"], names["TURN"] = self.reached, self.turn
            names["COMPARE"] = self.compared.append
        if self.compiler.audits:
            names.update(AUDITING)
        self.compiler.namespace.update(names)
        self.compiler.namespace.update(_PACKING)

    def loader(self, type_: Type) -> Loader:
        """Loads for natives, which use what they read."""
        found = self._loaders.get(type_)
        if found is None:
            found = self._loaders[type_] = self.cells.loader(type_, self._reading)
        return found

    def byte_loader(self, block: Block, offset: int) -> int:
        value = self.loader(Int(8, False))(block, offset)
        assert isinstance(value, int)
        return value

    def global_named(self, name: str) -> Block | None:
        return self.compiler.block("global", name) if name in self.program.globals else None

    def turn(self, steps: int) -> None:
        """A watched run has gone so many steps more."""
        self.steps += steps
        if self.steps > self.most_steps:
            raise faults.OutOfSteps

    def hit(self) -> None:
        self.on_hit()

    def arrive(self) -> None:
        self.on_arrival()

    def allocate(self, size: int, content: Content, at: Location) -> Pointer:
        """malloc: the inputs decide failures; a request no machine could meet fails always."""
        memory = self.memory
        self.allocations += 1
        if memory.audited and self.settings.malloc is Malloc.MAY_FAIL:
            raise faults.Refused
        if size >> (8 * memory.pointer_bytes - 1) or self._fails(size):
            return NUL
        if memory.exposing and memory.made >= self.next_collection:
            self.next_collection = memory.made + max(FIRST_COLLECTION, 2 * len(memory.heap))
            self.on_alloc()
        make = memory.make_zero if content is Content.ZERO else memory.make_fresh
        return make(BlockKind.HEAP, size, at, 16), 0

    def allocate_on_stack(self, size: int, content: Content, at: Location) -> Pointer:
        make = self.memory.make_zero if content is Content.ZERO else self.memory.make_fresh
        return make(BlockKind.STACK, size, at, 16), 0

    def begin_object(self, size: int, local: LocalObject, at: Location) -> Block:
        block = self.memory.make_fresh(BlockKind.STACK, size, at, local.align)
        block.name = local.name
        block.type = local.type
        return block

    def end_all(self, blocks: list[Block], at: Location) -> None:
        for block in blocks:
            self.memory.end(block, State.ENDED, at)

    def read_input(self, size: int) -> bytes:
        self.asked_input = True
        if self.memory.audited:
            raise faults.Refused
        if self._input is not None:
            done = len(self.stdin_read)
            content = self._input[done : done + size]
        else:
            content = self._read(size) if self._read is not None else b""
        self.stdin_read += content
        return content

    def execute(self) -> Ended:
        """Run the program to its end."""
        try:
            return self._execute()
        except faults.OutOfTime as late:  # the time was over just when the run ended
            self.is_over = True
            return self._ended(late, None)

    def _execute(self) -> Ended:
        name = self.program.entry
        procedure = self.program.procedures[name]
        status = 0
        try:
            arguments = self._arguments(procedure)
            result = self._run(self.compiler.function(name)(*arguments))
            if isinstance(result, int):
                status = result & 255
        except faults.Stop as stop:
            self.is_over = True
            return self._ended(stop, stop.__traceback__)
        except MemoryError as error:
            self.is_over = True
            return self._ended(faults.OutOfMemory("memory"), error.__traceback__)
        self.is_over = True
        return Ended(None, status, ())

    def _ended(self, stop: faults.Stop, traceback: TracebackType | None) -> Ended:
        status = stop.status if isinstance(stop, faults.Exit) else 0
        activations = self.activations_of(traceback)
        if self.compiler.mode in UNCOUNTED:
            self.steps = self.exact_steps(activations)
        return Ended(stop, status, activations)

    def _run(self, running: Any) -> Any:
        """The explicit stack: procedures that wait for one they called."""
        if not isinstance(running, GeneratorType):
            return running
        frames, limit = self.frames, self.most_frames
        push, pop = frames.append, frames.pop
        send, value = running.send, None
        while True:
            try:
                called = send(value)
            except StopIteration as done:
                value = done.value
                if not frames:
                    return value
                running = pop()
                send = running.send
            else:
                push(running)
                running, value = called, None
                send = running.send
                if len(frames) > limit:
                    raise faults.OutOfMemory("stack")

    def _arguments(self, procedure: Procedure) -> list[Any]:
        if self.memory.audited and uses_arguments(procedure):
            raise faults.Refused
        types = [procedure.variables[p].type for p in procedure.parameters]
        if len(types) >= 2 and isinstance(types[0], Int) and isinstance(types[1], PointerType):
            return self._main_arguments(len(types))
        choose = self.chooser.choose
        return [choose(type_, f"argument of {procedure.name}", procedure.at) for type_ in types]

    def _main_arguments(self, count: int) -> list[Any]:
        memory, width = self.memory, self.program.model.pointer_bytes
        texts = [argument.encode() for argument in self.inputs.args or ("program",)]
        table = memory.make_zero(BlockKind.GLOBAL, width * (len(texts) + 1), NOWHERE, 16)
        table.name = "argv"
        store = self.cells.storer(PointerType(Int(8, True)))
        for index, text in enumerate(texts):
            block = memory.make_zero(BlockKind.GLOBAL, len(text) + 1, NOWHERE)
            block.name = f"argv[{index}]"
            bulk.write(memory, (block, 0), text)
            store(table, width * index, (block, 0))
        self.globals.append(table)
        environment = memory.make_zero(BlockKind.GLOBAL, width, NOWHERE, 16)
        return [len(texts), (table, 0), *((environment, 0) for _ in range(count - 2))]

    def activations_of(self, traceback: TracebackType | None) -> tuple[Activation, ...]:
        """The active procedures when an exception was raised, innermost first."""
        running: list[tuple[FrameType, int]] = []
        while traceback is not None:
            running.append((traceback.tb_frame, traceback.tb_lineno))
            traceback = traceback.tb_next
        return self._activations(reversed(running))

    def activations_now(self) -> tuple[Activation, ...]:
        """The active procedures, asked from within a step."""
        running: list[tuple[FrameType, int]] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not _EXECUTE:
            running.append((frame, frame.f_lineno))
            frame = frame.f_back
        return self._activations(running)

    def _activations(self, running: Any) -> tuple[Activation, ...]:
        suspended = ((g.gi_frame, g.gi_frame.f_lineno) for g in reversed(self.frames))
        found: list[Activation] = []
        known: dict[int, Compiled | None] = {}  # by identity: to hash code takes long
        for frames in (running, suspended):
            for frame, line in frames:
                code = frame.f_code
                if id(code) not in known:
                    known[id(code)] = self.compiler.compiled.get(code)
                compiled = known[id(code)]
                if compiled is not None:
                    place = compiled.place(line)
                    waiting = bool(found)
                    found.append(Activation(compiled.procedure, place, frame.f_locals, waiting))
        return tuple(found)

    def exact_steps(self, activations: tuple[Activation, ...]) -> int:
        """Steps begun so far: blocks count all of theirs when entered."""
        total = self.steps
        for activation in activations:
            block, index = activation.place
            if block >= 0:
                ahead = len(activation.procedure.blocks[block].steps) - index
                total += activation.variables.get("n", 0) - ahead
        return total


_PACKING: Final = {
    name: access
    for code in FORMATS.values()
    for name, access in (
        (f"UNPACK_{code}", Struct("<" + code).unpack_from),
        (f"PACK_{code}", Struct("<" + code).pack_into),
    )
}


def _random(seed: int, purpose: str) -> random_.Random:
    return random_.Random(f"{seed}:{purpose}")


def _address(block: Block, offset: int) -> int:
    """The address as an integer of the program, which may come back as a pointer."""
    block.exposed = True
    return block.base + offset


_EXECUTE: Final[CodeType] = Machine.execute.__code__
