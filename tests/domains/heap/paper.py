"""The language of the paper on modular heap summaries, as IR: random programs and their runs.

Cells hold an integer or a pointer; every cell starts as nil. Locals have no address. There are
no loops; with `choose`, inputs decide which way a program goes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from precis.ir.instr import (
    Alloc,
    Assign,
    Branch,
    Call,
    Choose,
    Content,
    Jump,
    Load,
    Return,
    Step,
    Store,
)
from precis.ir.location import Location
from precis.ir.procedure import BasicBlock, Procedure, Variable
from precis.ir.program import Program
from precis.ir.types import I32, I64, VOID, DataModel, Function, Pointer, Type
from precis.ir.values import Term, compare, const, function, term

NOWHERE = Location("paper.c", 1, 1)
INT: Type = I32
TYPES: tuple[Type, ...] = (INT, Pointer(INT), Pointer(Pointer(INT)))


@dataclass
class Body:
    """A procedure that is being written; `depth` of a variable is its number of stars."""

    name: str
    formals: tuple[int, ...]
    depths: list[int] = field(default_factory=list)
    blocks: list[tuple[list[Step], object]] = field(default_factory=list)
    here: int = 0

    def __post_init__(self) -> None:
        self.depths = list(self.formals)
        self.blocks.append(([], None))

    def local(self, depth: int) -> int:
        self.depths.append(depth)
        return len(self.depths) - 1

    def emit(self, step: Step) -> None:
        self.blocks[self.here][0].append(step)

    def var(self, index: int) -> Term:
        return term("var", TYPES[self.depths[index]], (), index)

    def fresh_block(self) -> int:
        self.blocks.append(([], None))
        return len(self.blocks) - 1

    def finish(self, end: object) -> None:
        self.blocks[self.here] = (self.blocks[self.here][0], end)

    def procedure(self) -> Procedure:
        self.finish(Return(None, NOWHERE))
        count = len(self.formals)
        starts = [Assign(i, nil(d), NOWHERE) for i, d in enumerate(self.depths) if i >= count]
        self.blocks[0] = ([*starts, *self.blocks[0][0]], self.blocks[0][1])
        variables = tuple(Variable(f"v{i}", TYPES[d], NOWHERE) for i, d in enumerate(self.depths))
        return Procedure(
            self.name, signature(self.formals), tuple(range(len(self.formals))), variables, (),
            tuple(BasicBlock(tuple(steps), end) for steps, end in self.blocks),  # type: ignore[arg-type]
            NOWHERE,
        )  # fmt: skip


def nil(depth: int) -> Term:
    return const(INT, 0) if depth == 0 else term("const", TYPES[depth], (), 0)


def signature(formals: tuple[int, ...]) -> Function:
    return Function(VOID, tuple(TYPES[depth] for depth in formals))


def program(bodies: list[Body]) -> Program:
    procedures = {body.name: body.procedure() for body in bodies}
    return Program(DataModel.LP64, {}, {}, procedures, {}, "main")


# Statements.


def alloc(body: Body, target: int) -> None:
    size = 4 if body.depths[target] == 1 else 8
    body.emit(Alloc(target, const(I64, size), NOWHERE, Content.ZERO))


def call(body: Body, callee: Body, arguments: list[int]) -> None:
    address = function(callee.name, Pointer(signature(callee.formals)))
    body.emit(Call(None, address, tuple(body.var(a) for a in arguments), NOWHERE))


def branch(
    body: Body, condition: Term, then: Callable[[], None], other: Callable[[], None]
) -> None:
    one, two, after = body.fresh_block(), body.fresh_block(), body.fresh_block()
    body.finish(Branch(condition, one, two, NOWHERE))
    for block, inside in ((one, then), (two, other)):
        body.here = block
        inside()
        body.finish(Jump(after, NOWHERE))
    body.here = after


# Random programs.


@dataclass
class Dice:
    random: random.Random
    choose: bool = False
    recursion: bool = False

    def program(self) -> Program:
        bodies: list[Body] = []
        for number in range(3):
            formals = tuple(
                self.random.choice((0, 1, 1, 2, 2)) for _ in range(self.random.randint(2, 4))
            )
            bodies.append(Body(f"f{number}", formals))
        for number, body in enumerate(bodies):
            known = bodies if self.recursion else bodies[:number]
            self._statements(body, known, self.random.randint(3, 7))
        bodies.append(self._main(bodies))
        return program(bodies)

    def _main(self, bodies: list[Body]) -> Body:
        main = Body("main", ())
        for depth in (1, 1, 1, 2, 2):
            main_local = main.local(depth)
            alloc(main, main_local)
        number = main.local(0)
        for index, depth in enumerate(main.depths):
            if depth == 2:
                source = self._pick(main, 1)
                main.emit(Store(main.var(index), main.var(source), NOWHERE))
            elif depth == 1 and self.random.random() < 0.7:
                main.emit(Store(main.var(index), const(INT, self.random.randint(0, 3)), NOWHERE))
        main.emit(Assign(number, const(INT, self.random.randint(0, 3)), NOWHERE))
        for _ in range(self.random.randint(1, 3)):
            callee = self.random.choice(bodies)
            call(main, callee, [self._pick(main, depth) for depth in callee.formals])
        return main

    def _pick(self, body: Body, depth: int) -> int:
        found = [i for i, d in enumerate(body.depths) if d == depth]
        return self.random.choice(found) if found else body.local(depth)

    def _statements(self, body: Body, known: list[Body], count: int) -> None:
        for _ in range(count):
            self._statement(body, known)

    def _statement(self, body: Body, known: list[Body]) -> None:
        kind = self.random.random()
        depth = self.random.choice((1, 2))
        if kind < 0.3:
            pointer = self._pick(body, depth)
            if depth == 1 and self.random.random() < 0.5:
                value = const(INT, self.random.randint(0, 9))
            else:
                value = body.var(self._pick(body, depth - 1))
            body.emit(Store(body.var(pointer), value, NOWHERE))
        elif kind < 0.55:
            pointer, target = self._pick(body, depth), self._pick(body, depth - 1)
            body.emit(Load(target, body.var(pointer), TYPES[depth - 1], NOWHERE))
        elif kind < 0.65:
            alloc(body, self._pick(body, depth))
            self._fill(body)
        elif kind < 0.75:
            one = self._pick(body, depth)
            body.emit(Assign(self._pick(body, depth), body.var(one), NOWHERE))
        elif kind < 0.88 and known:
            callee = self.random.choice(known)
            arguments = [self._pick(body, d) for d in callee.formals]
            if self.recursion:
                self._maybe(body, lambda: call(body, callee, arguments))
            else:
                call(body, callee, arguments)
        else:
            self._branch(body, known)

    def _fill(self, body: Body) -> None:
        """What was just made gets something to lead to, so that few runs meet nil."""
        step = body.blocks[body.here][0][-1]
        assert isinstance(step, Alloc)
        if body.depths[step.target] == 2:
            inner = self._pick(body, 1)
            body.emit(Store(body.var(step.target), body.var(inner), NOWHERE))

    def _maybe(self, body: Body, inside: Callable[[], None]) -> None:
        chosen = body.local(0)
        body.emit(Choose(chosen, "choice", NOWHERE))
        zero = compare("eq", body.var(chosen), const(INT, 0))
        branch(body, zero, inside, lambda: None)

    def _branch(self, body: Body, known: list[Body]) -> None:
        inner = known if not self.recursion else []

        def some() -> None:
            self._statements(body, inner, self.random.randint(1, 2))

        if self.choose and self.random.random() < 0.6:
            chosen = body.local(0)
            body.emit(Choose(chosen, "choice", NOWHERE))
            branch(body, compare("eq", body.var(chosen), const(INT, 0)), some, some)
            return
        depth = self.random.choice((0, 1, 2))
        left, right = self._pick(body, depth), self._pick(body, depth)
        branch(body, compare("eq", body.var(left), body.var(right)), some, some)


# Runs.


class Nil(Exception):
    """A run that goes through nil."""


Cell = tuple[tuple[str, int, int], ...]  # the calls on the way to its allocation, and that


@dataclass
class Run:
    """A run of `main`: what its variables and the cells hold in the end."""

    program: Program
    choices: Iterator[int]
    memory: dict[tuple[int, Cell], object] = field(default_factory=dict)
    made: int = 0
    steps: int = 0

    def go(self) -> list[object]:
        return self.call("main", [], ())

    def call(self, name: str, arguments: list[object], path: Cell) -> list[object]:
        procedure = self.program.procedures[name]
        variables: list[object] = [*arguments, *([0] * (len(procedure.variables) - len(arguments)))]
        at = 0
        while True:
            block = procedure.blocks[at]
            for number, step in enumerate(block.steps):
                self.step(step, variables, (*path, (name, at, number)))
            match block.end:
                case Jump(to=to):
                    at = to
                case Branch(condition=condition, then=then, otherwise=otherwise):
                    at = then if self.value(condition, variables) else otherwise
                case _:
                    return variables

    def step(self, step: Step, variables: list[object], path: Cell) -> None:
        self.steps += 1
        if self.steps > 3000 or len(path) > 12:
            raise Nil
        match step:
            case Assign(target=target, value=value):
                variables[target] = self.value(value, variables)
            case Load(target=target, address=address):
                variables[target] = self.memory[self.cell(address, variables)]
            case Store(address=address, value=value):
                self.memory[self.cell(address, variables)] = self.value(value, variables)
            case Alloc(target=target):
                self.made += 1
                variables[target] = (self.made, path)
                self.memory[self.made, path] = 0
            case Choose(target=target):
                variables[target] = next(self.choices)
            case Call(function=callee, arguments=given):
                values = [self.value(argument, variables) for argument in given]
                self.call(str(callee.data), values, path)

    def cell(self, address: Term, variables: list[object]) -> tuple[int, Cell]:
        found = self.value(address, variables)
        if not isinstance(found, tuple):
            raise Nil
        return found

    def value(self, value: Term, variables: list[object]) -> object:
        match value.op:
            case "var":
                return variables[int(value.data or 0)]
            case "const":
                return value.data
            case "eq":
                return self.value(value.args[0], variables) == self.value(value.args[1], variables)
            case _:
                raise AssertionError(value.op)
