"""Hypothesis strategies: types, terms, steps, procedures, whole well-formed programs; and the
registered domains, all of which obey the laws here.

Programs are well formed but mean nothing: control jumps anywhere, terms are any well-typed
ones. They serve laws about the IR itself, not about runs. Terms are made directly, so that
those which the simplifying constructors never make occur as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from hypothesis import settings
from hypothesis import strategies as st

from precis.domains.values.domain import Values
from precis.domains.values.world import Policy
from precis.ir import instr
from precis.ir import obligation as ob
from precis.ir.location import Location
from precis.ir.procedure import BasicBlock, LocalObject, Procedure, Variable
from precis.ir.program import External, Global, Language, Piece, Program
from precis.ir.signature import signature
from precis.ir.types import (
    F64,
    I8,
    I32,
    LOGIC,
    U8,
    U64,
    VOID,
    VOID_POINTER,
    DataModel,
    Field,
    Float,
    Function,
    Int,
    Layout,
    Pointer,
    Type,
)
from precis.ir.values import Term, const, term
from precis.ir.wellformed import size_of
from tests.laws import covering
from tests.laws.moments import Moment
from tests.laws.term_dice import INTS, Dice, Scope, TermDice

SCOPE = Scope(DataModel.LP64, (I32, U8, F64, VOID_POINTER), (I32, I8))
_THREAD = Pointer(Function(VOID_POINTER, (VOID_POINTER,)))
_RULES = tuple(ob.PROPERTY_OF_RULE)
EFFORT = int(os.environ.get("PRECIS_EFFORT", "1"))


@dataclass(frozen=True, slots=True)
class Registered:
    """A domain. `make` is given the program, the properties, whether allocation may fail, and
    how much is kept apart (0: as much as ever, 1: little, 2: nothing)."""

    make: Callable[[Program, frozenset[str], bool, int], Any]
    why_not: Callable[[Any, Any, Moment], str]


def _values(program: Program, properties: frozenset[str], may_fail: bool, merging: int) -> Values:
    policy = (Policy(), Policy(3, 6, 2), Policy(1, 1, 0))[merging]
    return Values(program, properties, may_fail, policy=policy)


DOMAINS: Final[dict[str, Registered]] = {"values": Registered(_values, covering.why_not)}


def dice_of(data: st.DataObject) -> Dice:
    """Dice for a test that goes on drawing while it runs."""
    return Dice(cast("st.DrawFn", data.draw))


def many_examples(count: int) -> settings:
    """Settings of a law: so many examples, the same each time.

    With the environment variable PRECIS_EFFORT=n it is n times as many, each time others.
    """
    return settings(max_examples=count * EFFORT, derandomize=EFFORT == 1)


@dataclass(slots=True)
class _StepDice:
    """Draws the steps of a procedure. The scope has a variable of each kind."""

    dice: Dice
    scope: Scope
    terms: TermDice
    checks: int = 0

    def step(self) -> instr.Step:
        ways: tuple[Callable[[], instr.Step], ...] = (
            self._assign,
            self._load,
            self._store,
            self._memory,
            self._alloc,
            self._scope_step,
            self._call,
            self._choice,
            self._check,
            self._thread,
        )
        return self.dice.pick(ways)()

    def _at(self) -> Location:
        return self.dice.place()

    def _target(self, kinds: tuple[type, ...] = (Int, Float, Pointer)) -> int:
        fitting = [i for i, t in enumerate(self.scope.variables) if isinstance(t, kinds)]
        return self.dice.pick(fitting)

    def _assign(self) -> instr.Step:
        target = self._target()
        type_ = self.scope.variables[target]
        value = term("undef", type_) if self.dice.below(4) == 3 else self.terms.of(type_)
        return instr.Assign(target, value, self._at())

    def _load(self) -> instr.Step:
        target = self._target()
        type_ = self.scope.variables[target]
        bits, volatility = self.dice.bits(type_), self.dice.pick(tuple(instr.Volatility))
        return instr.Load(target, self.terms.address(), type_, self._at(), bits, volatility)

    def _store(self) -> instr.Step:
        value = self.terms.of(self.dice.scalar(self.scope.records))
        bits, volatility = self.dice.bits(value.type), self.dice.pick(tuple(instr.Volatility))
        return instr.Store(self.terms.address(), value, self._at(), bits, volatility)

    def _memory(self) -> instr.Step:
        t = self.terms
        ways: tuple[Callable[[], instr.Step], ...] = (
            lambda: instr.Copy(t.address(), t.address(), t.size(), self._at()),
            lambda: instr.Fill(t.address(), t.of(I32), t.size(), self._at()),
            lambda: instr.Free(t.address(), self._at()),
            lambda: instr.Measure(self._target((Int,)), t.address(), self._at()),
            lambda: instr.Lock(t.address(), self._at()),
            lambda: instr.Unlock(t.address(), self._at()),
        )
        return self.dice.pick(ways)()

    def _alloc(self) -> instr.Step:
        content = self.dice.pick(tuple(instr.Content))
        kind = self.dice.pick((instr.BlockKind.HEAP, instr.BlockKind.STACK))
        return instr.Alloc(self._target((Pointer,)), self.terms.size(), self._at(), content, kind)

    def _scope_step(self) -> instr.Step:
        if not self.scope.objects:
            return instr.AtomicBegin(self._at())
        index = self.dice.below(len(self.scope.objects))
        if self.dice.chance():
            return instr.ScopeEnd(index, self._at())
        return instr.ScopeBegin(index, self._at(), self.terms.size() if index % 2 else None)

    def _call(self) -> instr.Step:
        if self.scope.functions and self.dice.chance():
            name, type_ = self.dice.pick(self.scope.functions)
            function = term("function", Pointer(type_), (), name)
        else:
            type_ = self.dice.function(self.scope.records)
            function = self.terms.of(Pointer(type_))
        passed = signature(type_)
        arguments = tuple(self.terms.of(t, 1) for t in passed.parameters)
        fitting = [i for i, t in enumerate(self.scope.variables) if t == passed.result]
        target = self.dice.pick((None, *fitting))
        return instr.Call(target, function, arguments, self._at())

    def _choice(self) -> instr.Step:
        ways: tuple[Callable[[], instr.Step], ...] = (
            lambda: instr.Assume(self.terms.of(LOGIC), self._at()),
            lambda: instr.Choose(self._target(), self.dice.name(), self._at()),
            lambda: instr.Havoc(self._target(), self.dice.name(), self._at()),
            lambda: instr.Unsupported(self.dice.name(), self._at()),
        )
        return self.dice.pick(ways)()

    def _thread(self) -> instr.Step:
        t = self.terms
        ways: tuple[Callable[[], instr.Step], ...] = (
            lambda: instr.Spawn(self._target(), t.of(_THREAD, 1), t.address(), self._at()),
            lambda: instr.Join(t.of(U64), self._at()),
            lambda: instr.AtomicBegin(self._at()),
            lambda: instr.AtomicEnd(self._at()),
        )
        return self.dice.pick(ways)()

    def _check(self) -> instr.Step:
        self.checks += 1
        return instr.Check(self._obligation(), self.checks, self._at())

    def _obligation(self) -> ob.Obligation:
        t = self.terms
        ways: tuple[Callable[[], ob.Obligation], ...] = (
            lambda: ob.ValidRead(t.address(), t.size()),
            lambda: ob.ValidWrite(t.address(), t.size()),
            lambda: ob.ValidFree(t.address()),
            lambda: ob.ValidCall(t.of(_THREAD, 1)),
            ob.NotLost,
            ob.AllFreed,
            lambda: ob.InitialisedMemory(t.address(), 4, self.dice.bits(I32)),
            lambda: ob.InitialisedVariable(self._target()),
            lambda: ob.NeverReached(self.dice.pick(_RULES)),
            lambda: ob.NoOverflow(term("add", I32, (t.of(I32), t.of(I32)))),
            lambda: ob.ShiftInRange(term("shl", U64, (t.of(U64), t.of(I8)))),
            lambda: ob.NonZero(term("rem", I32, (t.of(I32), t.of(I32)))),
        )
        return self.dice.pick(ways)()

    def end(self, blocks: int, result: Type) -> instr.End:
        def to() -> int:
            return self.dice.below(blocks)

        def value() -> Term | None:
            return None if result == VOID else self.terms.of(result)

        ways: tuple[Callable[[], instr.End], ...] = (
            lambda: instr.Return(value(), self._at()),
            lambda: instr.Jump(to(), self._at()),
            lambda: instr.Branch(self.terms.of(LOGIC), to(), to(), self._at()),
            lambda: self._switch(blocks),
            lambda: instr.Halt(self.dice.pick((None, const(I32, 3))), self._at()),
            lambda: instr.Unreachable(self._at()),
        )
        return self.dice.pick(ways)()

    def _switch(self, blocks: int) -> instr.End:
        type_ = self.dice.pick(INTS)
        low = type_.low
        cases: list[instr.Case] = []
        for _ in range(self.dice.below(3)):
            high = low + self.dice.below(3)
            cases.append(instr.Case(low, high, self.dice.below(blocks)))
            low = high + 1
        value = self.terms.of(type_)
        return instr.Switch(value, tuple(cases), self.dice.below(blocks), self._at())


def _layout(dice: Dice, name: str, world: Program) -> Layout:
    """A record of those that are there already."""
    union = dice.chance()
    fields: list[Field] = []
    end = size = 0
    for _ in range(dice.below(4)):
        type_ = dice.stored(tuple(world.records))
        bits = dice.bits(type_)
        fields.append(Field(dice.name(), type_, end, bits))
        size = max(size, end + (bits.bytes if bits else size_of(type_, world)))
        end = 0 if union else size
    return Layout(name, union, tuple(fields), size, dice.pick((1, 4, 8)))


def _global(dice: Dice, name: str, scope: Scope, world: Program) -> Global:
    type_ = dice.stored(scope.records)
    pieces: list[Piece] = []
    end = 0
    for _ in range(dice.below(3)):
        piece = _piece(dice, end + dice.below(3), scope)
        pieces.append(piece)
        end = piece.offset + _piece_bytes(piece, world)
    return Global(
        name,
        type_,
        max(end, size_of(type_, world)),
        dice.pick((1, 8)),
        dice.place(),
        tuple(pieces),
        dice.pick((instr.BlockKind.GLOBAL, instr.BlockKind.LITERAL)),
        dice.chance(),
        not pieces and dice.chance(),
        dice.chance(),
    )


def _piece_bytes(piece: Piece, world: Program) -> int:
    if isinstance(piece.value, bytes):
        return len(piece.value)
    return piece.bits.bytes if piece.bits else size_of(piece.value.type, world)


def _piece(dice: Dice, offset: int, scope: Scope) -> Piece:
    if dice.chance():
        return Piece(offset, dice.bytes())
    type_ = dice.scalar(scope.records)
    closed = replace(scope, variables=(), objects=())
    return Piece(offset, TermDice(dice, closed).of(type_, 1), dice.bits(type_))


def _procedure(dice: Dice, name: str, type_: Function, outer: Scope) -> Procedure:
    passed = signature(type_)
    own = [dice.scalar(outer.records) for _ in range(dice.below(3))]
    declared = (*passed.parameters, I32, U8, F64, VOID_POINTER, *own)
    variables = tuple(Variable(dice.name(), t, dice.place()) for t in declared)
    objects = tuple(
        LocalObject(dice.name(), dice.pick(INTS), None if i % 2 else 64, 8, dice.place())
        for i in range(dice.below(4))
    )
    held = tuple(object_.type for object_ in objects)
    scope = replace(outer, variables=declared, objects=held)
    maker = _StepDice(dice, scope, TermDice(dice, scope))
    count = 1 + dice.below(4)
    blocks = []
    for _ in range(count):
        steps = tuple(maker.step() for _ in range(dice.below(4)))
        blocks.append(BasicBlock(steps, maker.end(count, passed.result)))
    parameters = tuple(range(len(passed.parameters)))
    marks = dice.chance(), dice.chance()
    return Procedure(
        name, type_, parameters, variables, objects, tuple(blocks), dice.place(), *marks
    )


def _program(dice: Dice) -> Program:
    model = dice.pick(tuple(DataModel))
    records: dict[str, Layout] = {}
    world = Program(model, records, {}, {}, {}, "")
    for name in dice.names(2):
        records[name] = _layout(dice, name, world)
    all_names = dice.names(5)
    split = dice.below(len(all_names) + 1)
    known = tuple(records)
    functions = tuple((name, dice.function(known)) for name in all_names[split:])
    scope = Scope(model, (), (), tuple(all_names[:split]), functions, known)
    bodies = functions[dice.below(len(functions) + 1) :]
    externals = functions[: len(functions) - len(bodies)]
    return Program(
        model,
        records,
        {name: _global(dice, name, scope, world) for name in scope.globals},
        {name: _procedure(dice, name, type_, scope) for name, type_ in bodies},
        {name: External(name, type_, dice.place()) for name, type_ in externals},
        bodies[0][0] if bodies and dice.chance() else "",
        dice.pick(tuple(Language)),
        tuple(dice.name() for _ in range(dice.below(3))),
    )


@st.composite
def types(draw: st.DrawFn, records: tuple[str, ...] = ()) -> Type:
    """Types that memory can hold."""
    return Dice(draw).stored(records)


@st.composite
def terms(draw: st.DrawFn, type_: Type, scope: Scope = SCOPE, depth: int = 3) -> Term:
    return TermDice(Dice(draw), scope).of(type_, depth)


@st.composite
def steps(draw: st.DrawFn, scope: Scope = SCOPE) -> instr.Step:
    """Any step; every second object of the scope has its size given by ScopeBegin."""
    return _StepDice(Dice(draw), scope, TermDice(Dice(draw), scope)).step()


@st.composite
def procedures(draw: st.DrawFn, scope: Scope = SCOPE) -> Procedure:
    dice = Dice(draw)
    return _procedure(dice, "p", dice.function(scope.records), scope)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    return _program(Dice(draw))


@st.composite
def graphs(draw: st.DrawFn, most: int = 12) -> tuple[tuple[int, ...], ...]:
    """The successors of each block of a control-flow graph."""
    dice = Dice(draw)
    count = 1 + dice.below(most)
    return tuple(
        tuple(dict.fromkeys(dice.below(count) for _ in range(dice.below(4)))) for _ in range(count)
    )


def alone(procedure: Procedure) -> Program:
    """The procedure as a program without anything else."""
    return Program(DataModel.LP64, {}, {}, {procedure.name: procedure}, {}, procedure.name)
