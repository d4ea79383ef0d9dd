"""Procedures -> Python functions.

A procedure whose calls can nest only to a known depth becomes a plain function. Any other (it
is recursive, or calls through pointers) becomes a generator: it yields the generator of the
procedure it calls to the loop in machine.py, which keeps the stack. Procedures are compiled
when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from precis.interp.arith import divider, float_to_int, remainder
from precis.interp.cells import Cells, Reading
from precis.interp.code import NO_PLACE, Line, Place, render
from precis.interp.faults import Fault, NotSupported
from precis.interp.flow import structure
from precis.interp.memory import NULL, WILD, Block, Pointer, State, bad_access
from precis.interp.plain import DECLINED
from precis.interp.shared import Codes, Compiled, Generated, Recipe
from precis.interp.steps import UNCOUNTED, WATCHING, Mode, Steps
from precis.interp.terms import Terms
from precis.ir.instr import BlockKind, Call, End, Load, Step, Store
from precis.ir.procedure import Procedure
from precis.ir.types import DataModel, Float, Int, Type, Void
from precis.ir.types import Pointer as PointerType
from precis.ir.values import Term

Native: TypeAlias = Callable[..., Any]


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


class Compiler:
    """Compiles for one run, or takes what an earlier run compiled; the `Unit` of steps.py.

    `native` gives the function that stands in for a procedure or external of the program,
    `code` makes the block of one whose address is used.
    """

    def __init__(
        self,
        codes: Codes,
        cells: Cells,
        native: Callable[[str], Native],
        code: Callable[[str], Block],
    ) -> None:
        self.codes = codes
        self.program = codes.shared.program
        self.cells = cells
        self.mode = codes.mode
        self.model: DataModel = self.program.model
        self.properties = codes.properties
        self.namespace: dict[str, Any] = dict(codes.fixed)
        self.compiled = codes.compiled
        self.traces = codes.traces
        self.line_to_stop_at = 0
        self.plain = codes.shared.plain
        self.no_result = codes.shared.no_result
        self._native = native
        self._code = code
        self._blocks: dict[tuple[str, str], Block] = {}
        self._used: dict[str, None] = {}
        self._labels = codes.shared.labels
        for name, label in self._labels.items():
            self.namespace[label] = partial(self._first_call, name)

    @property
    def word_bits(self) -> int:
        return 8 * self.model.pointer_bytes

    @property
    def audits(self) -> bool:
        return self.mode is Mode.AUDITED

    def constant(self, key: object, value: object) -> str:
        """The name of a value that is the same in every run."""
        name = self.codes.name(key)
        self.namespace[name] = self.codes.fixed.setdefault(name, value)
        self._used[name] = None
        return name

    def _own(self, key: object, recipe: Recipe) -> str:
        """The name of a value that belongs to the run."""
        name = self.codes.name(key)
        self.codes.recipes.setdefault(name, recipe)
        self._bind(name)
        self._used[name] = None
        return name

    def _bind(self, name: str) -> None:
        if name not in self.namespace:
            fixed = self.codes.fixed
            self.namespace[name] = fixed[name] if name in fixed else self.codes.recipes[name](self)

    def add_block(self, kind: str, name: str, block: Block) -> None:
        self._blocks[kind, name] = block

    def block(self, kind: str, name: str) -> Block:
        return self._blocks[kind, name]

    def global_block(self, name: str) -> str:
        return self._own(("global", name), lambda run: run.block("global", name))

    def code_block(self, name: str) -> str:
        return self._own(("code", name), lambda run: run.code(name))

    def code(self, name: str) -> Block:
        key = ("code", name)
        if key not in self._blocks:
            self._blocks[key] = self._code(name)
        return self._blocks[key]

    def divide(self, op: str, bits: int) -> str:
        make = divider if op == "div" else remainder
        return self._own((op, bits), lambda run: make(run.cells.random, bits))

    def to_int(self, type_: Int) -> str:
        low, high = type_.low, type_.high
        return self._own(("to_int", type_), lambda run: float_to_int(run.cells.random, low, high))

    def any_value(self, type_: object) -> str:
        return self._own(("any", _shape(type_)), lambda run: partial(run.cells.any_value, type_))

    def loader(self, step: Load, reading: Reading) -> str:
        type_, bits = step.type, step.bits
        key = ("load", _shape(type_), bits, reading)
        if bits is not None:
            assert isinstance(type_, Int)
            return self._own(key, lambda run: run.cells.load_bits(type_, bits, reading))
        return self._own(key, lambda run: run.cells.loader(type_, reading))

    def storer(self, step: Store) -> str:
        type_, bits = step.value.type, step.bits
        key = ("store", _shape(type_), bits)
        if bits is not None:
            return self._own(key, lambda run: run.cells.store_bits(bits))
        return self._own(key, lambda run: run.cells.storer(type_))

    def native(self, name: str) -> Native:
        return self._native(name)

    def mark(self, procedure: Procedure, block: int) -> int:
        return self.codes.shared.first[procedure.name] + block

    def compared(self, procedure: Procedure, place: Place) -> int:
        self.codes.comparisons.append((procedure, place))
        return len(self.codes.comparisons) - 1

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
        if name in self.codes.natives and procedure is None:
            native = self._own(("native", name), lambda run: run.only_native(name))
            return (f"{fresh} = {native}({arguments})",)
        if procedure is None:
            reason = f"a call of {name}, which has no body here"
            return (f"raise UNSUPPORTED({self.constant(('text', reason), reason)})",)
        wrong = mismatch(procedure, step.arguments)
        if wrong:
            return (f"raise FAULT('invalid-pointer', {self.constant(('text', wrong), wrong)})",)
        word = "" if name in self.plain else "yield "
        call = f"{fresh} = {word}{self._labels[name]}({arguments})"
        if name not in self.codes.natives:
            return (call,)
        native = self._own(("native", name), lambda run: run.native(name))
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
            return self.only_native(name) if name in self.codes.natives else partial(_no_body, name)
        return self.namespace[self._labels[name]]  # type: ignore[no-any-return]

    def function(self, name: str) -> Callable[..., Any]:
        return self.namespace[self._labels[name]]  # type: ignore[no-any-return]

    def only_native(self, name: str) -> Native:
        """A native without a model to fall back on."""
        native = self._native(name)

        def call(*arguments: Any) -> Any:
            result = native(*arguments)
            if result is DECLINED:
                raise NotSupported(f"this call of {name}, which has no body here")
            return result

        return call

    def _first_call(self, name: str, *arguments: Any) -> Any:
        return self._compile(name)(*arguments)

    def _compile(self, name: str) -> Callable[..., Any]:
        label = self._labels[name]
        current = self.namespace[label]
        if not isinstance(current, partial):
            return current  # type: ignore[no-any-return]
        generated = self.codes.functions.get(name)
        if generated is None:
            generated = self.codes.functions[name] = self._generated(name, label)
        for used in generated.names:
            self._bind(used)
        made = self.namespace[label] = FunctionType(generated.code, self.namespace, label)
        return made

    def _generated(self, name: str, label: str) -> Generated:
        procedure = self.program.procedures[name]
        self._used = {}
        source, places = self._source(procedure, label)
        whole = compile(source, f"<precis {label}>", "exec")
        (code,) = (part for part in whole.co_consts if isinstance(part, CodeType))
        self.compiled[code] = Compiled(procedure, places, source)
        return Generated(code, tuple(self._used))

    def evaluated(self, node: Term) -> Any:
        """The value of a term without variables."""
        generated = self.codes.terms.get(node)
        if generated is None:
            self._used = {}
            terms = Terms(self)
            text = terms.value(node)
            code = compile("\n".join([*terms.before, f"result = {text}"]), "<precis term>", "exec")
            generated = self.codes.terms[node] = Generated(code, tuple(self._used))
        for used in generated.names:
            self._bind(used)
        scope: dict[str, object] = {}
        exec(generated.code, self.namespace, scope)
        return scope["result"]

    def _source(self, procedure: Procedure, label: str) -> tuple[str, tuple[Place, ...]]:
        steps = Steps(self, procedure)
        body, labels = structure(procedure, steps)
        head = [f"def {label}({', '.join(f'v{p}' for p in procedure.parameters)}):"]
        if procedure.name not in self.plain:
            head.append(" if False: yield")
        if self.mode in UNCOUNTED:
            head.append(" n = 0")
        if self.mode in WATCHING and procedure.name not in self.plain:
            head.append(" TURN(0)")
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
