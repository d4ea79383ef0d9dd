"""Small programs, built by hand.

Every step is on a line of its own: the first of `main` on line 1. Programs are run with the
machine itself, so that tests can look at its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from precis.interp.cells import Reading, Value
from precis.interp.machine import Ended, Machine
from precis.interp.outcome import Inputs, Natives, Outcome, Settings
from precis.interp.run import run
from precis.interp.steps import Mode
from precis.ir.instr import Assign, Call, Check, Choose, End, Load, Return, Step, Store
from precis.ir.location import Location
from precis.ir.obligation import Obligation
from precis.ir.procedure import BasicBlock, LocalObject, Procedure, Variable
from precis.ir.program import External, Global, Program
from precis.ir.types import (
    I32,
    I64,
    U8,
    VOID,
    VOID_POINTER,
    Array,
    DataModel,
    Function,
    Layout,
    Pointer,
    Type,
)
from precis.ir.values import Term, cast, const, function, global_, local, offset, var

ALL = frozenset(
    {
        "memory-safety",
        "assertions",
        "leaks",
        "cleanup",
        "uninitialised",
        "overflow",
        "division",
    }
)
SAFETY = frozenset({"memory-safety", "assertions"})


class Body:
    """A procedure under construction; steps go to the block begun last."""

    def __init__(
        self, name: str = "main", result: Type = I32, file: str = "t.c", library: bool = False
    ) -> None:
        self.name, self.result, self.file, self.library = name, result, file, library
        self.variables: list[Variable] = []
        self.objects: list[LocalObject] = []
        self.parameters: list[int] = []
        self.blocks: list[tuple[list[Step], list[End]]] = [([], [])]
        self.line = 0

    def at(self) -> Location:
        self.line += 1
        return Location(self.file, self.line)

    def var(self, type_: Type, name: str = "x") -> Term:
        self.variables.append(Variable(name, type_, Location(self.file, 1)))
        return var(len(self.variables) - 1, type_)

    def parameter(self, type_: Type, name: str = "p") -> Term:
        made = self.var(type_, name)
        self.parameters.append(len(self.variables) - 1)
        return made

    def object(self, size: int | None, type_: Type | None = None, name: str = "o") -> Term:
        kind = type_ or Array(U8, size)
        self.objects.append(LocalObject(name, kind, size, 8, Location(self.file, 1)))
        return local(len(self.objects) - 1, VOID_POINTER)

    def do(self, make: type, *arguments: object, **named: object) -> None:
        """Append a step (or the end of the block), placed on the next line."""
        step = make(*arguments, at=self.at(), **named)
        steps, ends = self.blocks[-1]
        (ends if isinstance(step, End) else steps).append(step)

    def check(self, obligation: Obligation) -> None:
        """A check takes the line of the step that follows."""
        at = Location(self.file, self.line + 1)
        self.blocks[-1][0].append(Check(obligation, 0, at))

    def set(self, target: Term, value: Term) -> None:
        self.do(Assign, _index(target), value)

    def load(self, target: Term, address: Term, type_: Type | None = None) -> None:
        self.do(Load, _index(target), address, type_ or target.type)

    def store(self, address: Term, value: Term) -> None:
        self.do(Store, address, value)

    def choose(self, target: Term, source: str = "nondet") -> None:
        self.do(Choose, _index(target), source)

    def call(self, target: Term | None, name: str, *arguments: Term) -> None:
        callee = function(name, Pointer(Function(VOID, ())))
        self.do(Call, None if target is None else _index(target), callee, arguments)

    def block(self) -> int:
        self.blocks.append(([], []))
        return len(self.blocks) - 1

    def done(self, value: Term | int = 0) -> Procedure:
        """End with a return, unless ended already."""
        if not self.blocks[-1][1]:
            self.do(Return, const(I32, value) if isinstance(value, int) else value)
        return Procedure(
            self.name,
            Function(self.result, tuple(self.variables[p].type for p in self.parameters)),
            tuple(self.parameters),
            tuple(self.variables),
            tuple(self.objects),
            tuple(BasicBlock(tuple(steps), ends[0]) for steps, ends in self.blocks),
            Location(self.file, 1),
            library=self.library,
        )


def _index(target: Term) -> int:
    assert isinstance(target.data, int)
    return target.data


@dataclass(slots=True)
class Result:
    machine: Machine
    ended: Ended

    def value(self, name: str, type_: Type, at: int = 0) -> Value:
        block = self.machine.global_named(name)
        assert block is not None
        return self.machine.cells.loader(type_, Reading.CHECKED)(block, at)


@dataclass(slots=True)
class Parts:
    globals: list[Global] = field(default_factory=list)
    externals: list[str] = field(default_factory=list)
    records: dict[str, Layout] = field(default_factory=dict)


def program(
    *procedures: Procedure, parts: Parts | None = None, model: DataModel = DataModel.LP64
) -> Program:
    parts = parts or Parts()
    out = Global("out", Array(U8, 64), 64, 16, Location("t.c", 1))
    globals_ = {g.name: g for g in (out, *parts.globals)}
    externals = {
        name: External(name, Function(I32, ()), Location("t.c", 1)) for name in parts.externals
    }
    entry = procedures[0].name
    return Program(
        model, parts.records, globals_, {p.name: p for p in procedures}, externals, entry
    )


def out(at: int = 0, type_: Type = VOID_POINTER) -> Term:
    """The address of a byte of the global that tests look at."""
    return offset(cast(Pointer(type_), global_("out", VOID_POINTER)), const(I64, at))


def execute(
    whole: Program,
    *,
    values: Sequence[int | float] | None = None,
    properties: frozenset[str] = SAFETY,
    seed: int = 0,
    mode: Mode = Mode.FAST,
    output: bytearray | None = None,
    stdin: bytes = b"",
) -> Result:
    inputs = Inputs(seed, None if values is None else tuple(values), stdin)
    into = bytearray() if output is None else output
    machine = Machine(
        whole, inputs, Settings(properties), mode, lambda descriptor, content: into.extend(content)
    )
    return Result(machine, machine.execute())


def outcome(
    whole: Program,
    *,
    values: Sequence[int | float] | None = None,
    properties: frozenset[str] = SAFETY,
    seed: int = 0,
    settings: Settings | None = None,
    stdin: bytes | None = b"",
    output: bytearray | None = None,
) -> Outcome:
    into = bytearray() if output is None else output
    chosen = replace(settings or Settings(), properties=properties)
    inputs = Inputs(seed, None if values is None else tuple(values), stdin)
    return run(whole, inputs, chosen, lambda descriptor, content: into.extend(content))


def models_only(properties: frozenset[str] = SAFETY) -> Settings:
    return Settings(properties, natives=Natives.MODELS_ONLY)
