"""Procedures -> Python functions.

A procedure whose calls can nest only to a known depth becomes a plain function. Any other (it
is recursive, or calls through pointers) becomes a generator: it yields the generator of the
procedure it calls to the loop in machine.py, which keeps the stack. Procedures are compiled
when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from types import CodeType
from typing import Any, Final, TypeAlias

from precis.interp.arith import divider, float_to_int, remainder
from precis.interp.cells import Cells, Reading
from precis.interp.code import NO_PLACE, Line, Place, render
from precis.interp.faults import Fault, NotSupported
from precis.interp.flow import structure
from precis.interp.memory import NULL, WILD, Block, Pointer, State, bad_access
from precis.interp.plain import DECLINED
from precis.interp.steps import Mode, Steps
from precis.ir.defined import without_result
from precis.ir.instr import BlockKind, Call, End, Load, Step, Store
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import DataModel, Float, Int, Type, Void
from precis.ir.types import Pointer as PointerType
from precis.ir.values import Term

DEEPEST_PLAIN: Final = 60  # plain functions nest in Python's own stack
Native: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Compiled:
    """`places[line]` is the step that the line of the generated source belongs to."""

    procedure: Procedure
    places: tuple[Place, ...]
    source: str

    def place(self, line: int) -> Place:
        return self.places[line] if 0 <= line < len(self.places) else NO_PLACE

    def step(self, place: Place) -> Step | End | None:
        block, index = place
        if block < 0:
            return None
        steps = self.procedure.blocks[block].steps
        return steps[index] if index < len(steps) else self.procedure.blocks[block].end


def kind_of(type_: Type) -> str:
    """Types of one kind can stand for each other in a call: widths are converted."""
    match type_:
        case Float():
            return "float"
        case PointerType():
            return "pointer"
        case Int():
            return "integer"
        case _:
            return "other"


class Wanted(Enum):
    """Whether a call through a pointer takes a value back."""

    NONE = "none"
    RESULT = "result"


def plain_procedures(program: Program) -> set[str]:
    """Those whose calls nest to a bounded depth."""
    callees = {name: _callees(procedure, program) for name, procedure in program.procedures.items()}
    height: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for name, called in callees.items():
            if name in height or called is None or not called <= height.keys():
                continue
            tallest = max((height[callee] for callee in called), default=0) + 1
            if tallest <= DEEPEST_PLAIN:
                height[name] = tallest
                changed = True
    return set(height)


def _callees(procedure: Procedure, program: Program) -> set[str] | None:
    """The procedures called directly, or None if there are calls through pointers."""
    found: set[str] = set()
    for block in procedure.blocks:
        for step in block.steps:
            if not isinstance(step, Call):
                continue
            if step.function.op != "function":
                return None
            name = str(step.function.data)
            if name in program.procedures:
                found.add(name)
    return found


class Compiler:
    """Compiles for one run; the `Unit` of steps.py.

    `natives` are the functions that stand in for procedures and externals of the program.
    """

    def __init__(
        self,
        program: Program,
        cells: Cells,
        mode: Mode,
        properties: frozenset[str],
        natives: dict[str, Native],
    ) -> None:
        self.program = program
        self.cells = cells
        self.mode = mode
        self.model: DataModel = program.model
        self.properties = properties
        self.natives = natives
        self.namespace: dict[str, Any] = {}
        self.compiled: dict[CodeType, Compiled] = {}
        self.traces: list[tuple[Procedure, Place]] = []
        self.line_to_stop_at = 0
        self.plain = plain_procedures(program)
        self.no_result = without_result(program.procedures.values())
        self._names: dict[object, str] = {}
        self._blocks: dict[tuple[str, str], Block] = {}
        self._functions = {name: f"f{i}" for i, name in enumerate(program.procedures)}
        for name, label in self._functions.items():
            self.namespace[label] = partial(self._first_call, name)

    @property
    def word_bits(self) -> int:
        return 8 * self.model.pointer_bytes

    def constant(self, key: object, value: object) -> str:
        # Equal keys of different types (True and 1) must not share a name.
        name = self._names.get((type(key), key))
        if name is None:
            name = self._names[(type(key), key)] = f"k{len(self._names)}"
            self.namespace[name] = value
        return name

    def add_block(self, kind: str, name: str, block: Block) -> None:
        self._blocks[kind, name] = block

    def block(self, kind: str, name: str) -> Block:
        return self._blocks[kind, name]

    def global_block(self, name: str) -> str:
        return self.constant(("global", name), self._blocks["global", name])

    def code_block(self, name: str) -> str:
        return self.constant(("code", name), self._blocks["code", name])

    def divide(self, op: str, bits: int) -> str:
        make = divider if op == "div" else remainder
        return self.constant((op, bits), make(self.cells.random, bits))

    def to_int(self, type_: Int) -> str:
        convert = float_to_int(self.cells.random, type_.low, type_.high)
        return self.constant(("to_int", type_), convert)

    def any_value(self, type_: object) -> str:
        return self.constant(("any", _shape(type_)), partial(self.cells.any_value, type_))  # type: ignore[arg-type]

    def loader(self, step: Load, reading: Reading) -> str:
        key = ("load", _shape(step.type), step.bits, reading)
        if step.bits is not None:
            assert isinstance(step.type, Int)
            return self.constant(key, self.cells.load_bits(step.type, step.bits, reading))
        return self.constant(key, self.cells.loader(step.type, reading))

    def storer(self, step: Store) -> str:
        key = ("store", _shape(step.value.type), step.bits)
        if step.bits is not None:
            return self.constant(key, self.cells.store_bits(step.bits))
        return self.constant(key, self.cells.storer(step.value.type))

    def traced(self, procedure: Procedure, place: Place) -> int:
        self.traces.append((procedure, place))
        return len(self.traces) - 1

    def stops_at(self, procedure: Procedure, step: Step | End) -> bool:
        return step.at.line == self.line_to_stop_at > 0 and not procedure.library

    def call(self, step: Call, function: str, arguments: str, fresh: str) -> tuple[str, ...]:
        if function:
            kinds = tuple(kind_of(argument.type) for argument in step.arguments)
            wanted = "NONE" if step.target is None else "RESULT"
            callee = f"INDIRECT({function}, {self.constant(kinds, kinds)}, {wanted})"
            again = f"if {fresh}.__class__ is GENERATOR: {fresh} = yield {fresh}"
            return f"{fresh} = {callee}({arguments})", again
        name = str(step.function.data)
        procedure = self.program.procedures.get(name)
        if name in self.natives and procedure is None:
            native = self.constant(("native", name), partial(self._only_native, name))
            return (f"{fresh} = {native}({arguments})",)
        if procedure is None:
            reason = f"a call of {name}, which has no body here"
            return (f"raise UNSUPPORTED({self.constant(('text', reason), reason)})",)
        wrong = mismatch(procedure, step.arguments)
        if wrong:
            return (f"raise FAULT('invalid-pointer', {self.constant(('text', wrong), wrong)})",)
        word = "" if name in self.plain else "yield "
        call = f"{fresh} = {word}{self._functions[name]}({arguments})"
        if name not in self.natives:
            return (call,)
        native = self.constant(("native", name), self.natives[name])
        return f"{fresh} = {native}({arguments})", f"if {fresh} is DECLINED: {call}"

    def callable(
        self, pointer: Pointer, kinds: tuple[str, ...] | None = None, wanted: Wanted = Wanted.NONE
    ) -> Callable[..., Any]:
        """The procedure at an address, for arguments of these kinds."""
        block, offset = pointer
        if block.kind is not BlockKind.CODE or offset or block is NULL or block is WILD:
            raise _bad_call(pointer)
        name = block.procedure
        procedure = self.program.procedures.get(name)
        if procedure is not None and kinds is not None:
            wrong = _mismatch(procedure, kinds)
            if not wrong and wanted is Wanted.RESULT and isinstance(procedure.type.result, Void):
                wrong = f"call of {name}, which gives no value back, for its value"
            if wrong:
                raise Fault("invalid-pointer", wrong, block)
        if procedure is None:
            return partial(self._only_native if name in self.natives else _no_body, name)
        return self.namespace[self._functions[name]]  # type: ignore[no-any-return]

    def function(self, name: str) -> Callable[..., Any]:
        return self.namespace[self._functions[name]]  # type: ignore[no-any-return]

    def _only_native(self, name: str, *arguments: Any) -> Any:
        """A native without a model to fall back on."""
        result = self.natives[name](*arguments)
        if result is DECLINED:
            raise NotSupported(f"this call of {name}, which has no body here")
        return result

    def _first_call(self, name: str, *arguments: Any) -> Any:
        return self._compile(name)(*arguments)

    def _compile(self, name: str) -> Callable[..., Any]:
        label = self._functions[name]
        current = self.namespace[label]
        if not isinstance(current, partial):
            return current  # type: ignore[no-any-return]
        procedure = self.program.procedures[name]
        source, places = self._source(procedure, label)
        code = compile(source, f"<precis {label}>", "exec")
        exec(code, self.namespace)
        made = self.namespace[label]
        self.compiled[made.__code__] = Compiled(procedure, places, source)
        return made  # type: ignore[no-any-return]

    def _source(self, procedure: Procedure, label: str) -> tuple[str, tuple[Place, ...]]:
        steps = Steps(self, procedure)
        body, labels = structure(procedure, steps)
        head = [f"def {label}({', '.join(f'v{p}' for p in procedure.parameters)}):"]
        if procedure.name not in self.plain:
            head.append(" if False: yield")
        if self.mode is Mode.FAST:
            head.append(" n = 0")
        if labels:
            head.append(f" L = {labels.get(0, 0)}")
        head.extend(f" b{i} = DEAD" for i in range(len(procedure.objects)))
        if steps.keeps_stack_blocks:
            head.append(" al = []")
        head.extend(
            f" v{v} = None" for v in sorted(steps.terms.read_unsure - {*procedure.parameters})
        )
        lines, places = render([*body, Line("raise AssertionError", NO_PLACE)], labels, 1)
        every = [NO_PLACE] * (len(head) + 1) + places
        return "\n".join([*head, *lines, ""]), tuple(every)


def _shape(type_: object) -> object:
    """What of a type matters to an access: all pointers are alike."""
    return "pointer" if isinstance(type_, PointerType) else type_


def mismatch(procedure: Procedure, arguments: tuple[Term, ...]) -> str:
    return _mismatch(procedure, tuple(kind_of(argument.type) for argument in arguments))


def _mismatch(procedure: Procedure, kinds: tuple[str, ...]) -> str:
    """Why a procedure cannot take arguments of these kinds, or nothing."""
    wanted = tuple(kind_of(procedure.variables[p].type) for p in procedure.parameters)
    if len(kinds) != len(wanted):
        return f"call of {procedure.name} with {len(kinds)} arguments for {len(wanted)} parameters"
    for position, (given, taken) in enumerate(zip(kinds, wanted, strict=True), 1):
        if given != taken:
            return f"call of {procedure.name} with a {given} for parameter {position}, a {taken}"
    return ""


def _no_body(name: str, *_: object) -> Any:
    raise NotSupported(f"a call of {name}, which has no body here")


def _bad_call(pointer: Pointer) -> Fault:
    block, offset = pointer
    if block is NULL and not offset:
        return Fault("null-dereference", "call through a null pointer")
    if block.state is not State.LIVE:
        return bad_access(block, offset, 1, "call")
    return Fault("invalid-pointer", "call of an address that is no procedure's", block)
