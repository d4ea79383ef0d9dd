"""Terms on states of `values`, against the meaning of terms.

A case is a state and, for each of its variables, one value that the state allows. Whatever a
term gives for these values, `Terms` must allow for the state; a condition that has a truth for
them must be possible, and assuming it must keep them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.domains.values import num
from precis.domains.values.domain import Values
from precis.domains.values.memory import ALL_UNSET, FREED, LIVE, Block
from precis.domains.values.num import FALSE, TRUE, Num
from precis.domains.values.state import State
from precis.domains.values.value import ANY_OFFSET, FLOAT, UNKNOWN, ZERO, Pointers, Value
from precis.domains.values.world import Policy
from precis.ir.instr import Return
from precis.ir.location import NOWHERE
from precis.ir.procedure import BasicBlock, LocalObject, Procedure, Variable
from precis.ir.program import Global, Program
from precis.ir.types import (
    F64,
    I8,
    I32,
    I64,
    LOGIC,
    U8,
    U64,
    VOID,
    VOID_POINTER,
    Array,
    DataModel,
    Float,
    Function,
    Int,
    Logic,
    Pointer,
    Type,
)
from precis.ir.values import Term, const, term
from tests.laws.strategies import dice_of, many_examples
from tests.laws.term_dice import Dice, Scope, TermDice
from tests.laws.term_meaning import UNCLEAR, Setting, meaning

TYPES: tuple[Type, ...] = (I32, U8, I64, U64, I32, VOID_POINTER, VOID_POINTER, F64)
TERMS: tuple[Type, ...] = (I32, U8, I64, U64, I8, VOID_POINTER, LOGIC)
SCOPE = Scope(
    DataModel.LP64, TYPES, (I64, I64), ("g", "h"), (("f", Function(VOID, ())),)
)  # fmt: skip
EDGES = (0, 1, 2, 5, 7, 8, 100, 127, 128, 255, 256, 65535)


class Spot(NamedTuple):
    """A block of memory: the block of the state that stands for it, and where it lies."""

    name: int
    base: int
    size: int


NOWHERE_AT_ALL = Spot(UNKNOWN, 0, 0)


def _program() -> Program:
    variables = tuple(Variable(f"v{i}", type_, NOWHERE) for i, type_ in enumerate(TYPES))
    objects = tuple(LocalObject(f"o{i}", I64, 8, 8, NOWHERE) for i in range(2))
    body = (BasicBlock((), Return(None, NOWHERE)),)
    function = Function(VOID, ())
    procedures = {
        "p": Procedure("p", function, (), variables, objects, body, NOWHERE),
        "f": Procedure("f", function, (), (), (), body, NOWHERE),
    }
    globals_ = {name: Global(name, Array(U8, 16), 16, 8, NOWHERE) for name in ("g", "h")}
    return Program(DataModel.LP64, {}, globals_, procedures, {}, "p")


PROGRAM = _program()
DOMAINS = {
    checked: Values(PROGRAM, frozenset(checked.split()), True, policy=Policy())
    for checked in ("assertions", "assertions division")
}


@dataclass(slots=True)
class Case:
    """The memory has fixed blocks: live and freed heap, two that one block of the state stands
    for, two objects, two globals, a procedure."""

    dice: Dice
    domain: Values
    held: list[Any] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        world = self.domain.world
        sixteen, site = num.const(16), ("p", 0, 0)
        object_names = [world.object_site("p", index) for index in range(2)]
        blocks = {
            1000: Block("heap", sixteen, LIVE, False, {}, ALL_UNSET, site),
            1001: Block("heap", sixteen, FREED, False, {}, ALL_UNSET, site),
            1002: Block("heap", num.make(16, 32), LIVE, True, {}, ALL_UNSET, site),
            1003: Block("heap", ZERO, LIVE, False, {}, ALL_UNSET, site),
            **{
                name: Block("stack", num.const(8), LIVE, False, {}, ALL_UNSET, site)
                for name in object_names
            },
        }
        names = (1000, 1001, 1002, 1002, 1003, *object_names)
        statics = (world.global_block("g"), world.global_block("h"))
        for at, name in enumerate(names):
            size = blocks[name].size[0]
            # Some lie side by side: one ends where the next begins.
            self.spots.append(Spot(name, 0x1000_0000 + 16 * at, size))
        self.spots += [Spot(name, 0x200_0000 + 64 * at, 16) for at, name in enumerate(statics)]
        self.spots.append(Spot(world.code_block("f"), 0x40_0000, 0))
        values = [self.variable(type_) for type_ in TYPES]
        self.held = [self.member(value, type_) for value, type_ in zip(values, TYPES, strict=True)]
        self.state = State(
            tuple(value[0] for value in values), tuple((value[1], value[2]) for value in values),
            blocks, tuple(object_names), {}, False, True, True, {},
        )  # fmt: skip

    # Choices.

    def variable(self, type_: Type) -> Value:
        unset = self.dice.below(12) == 11
        if isinstance(type_, Float):
            return FLOAT
        if isinstance(type_, Pointer):
            null = self.dice.pick((None, ZERO))
            pointers = self.pointers() if null is None or self.dice.chance() else ()
            return (null, pointers, unset)
        assert isinstance(type_, Int)
        if type_.bits == 64 and self.dice.below(3) == 2:
            return (self.dice.pick((None, self.number(type_))), self.pointers(), unset)
        return (self.number(type_), (), unset)

    def pointers(self) -> Pointers:
        names = sorted({spot.name for spot in self.spots} | {UNKNOWN})
        chosen = {self.dice.pick(names): None for _ in range(1 + self.dice.below(3))}
        offsets = (ZERO, num.const(8), num.const(16), num.make(0, 16, 4), num.make(-8, 8))
        return tuple(
            (name, ANY_OFFSET if name == UNKNOWN else self.dice.pick(offsets))
            for name in sorted(chosen)
        )

    def number(self, type_: Int) -> Num:
        low, high = sorted((self.edge(type_), self.edge(type_)))
        return num.make(low, high, self.dice.pick((1, 1, 2, 3, 8)))

    def edge(self, type_: Int) -> int:
        value = self.dice.pick((*EDGES, type_.high, type_.low, type_.high - 1))
        return type_.wrap(-value if self.dice.below(3) == 2 else value)

    def member(self, value: Value, type_: Type) -> Any:
        """One of the values; an indeterminate one may be any."""
        number, pointers, unset = value
        if unset:
            number, pointers = self.anything(type_)
        if isinstance(type_, Float):
            return self.dice.pick((0.0, 1.5, -3.0))
        if pointers and (number is None or self.dice.chance()):
            name, offset = self.dice.pick(pointers)
            if name == UNKNOWN:
                return self.stray(type_)
            spot = self.dice.pick([spot for spot in self.spots if spot.name == name])
            place = (spot, self.within(offset))
            return place if isinstance(type_, Pointer) else self.wrapped(place, type_)
        assert number is not None
        found = self.within(number)
        return (NOWHERE_AT_ALL, 0) if isinstance(type_, Pointer) else found

    def anything(self, type_: Type) -> tuple[Num | None, Pointers]:
        if isinstance(type_, Pointer):
            return ZERO, ((UNKNOWN, ANY_OFFSET),)
        return (num.of_type(type_) if isinstance(type_, Int) else None), ()

    def stray(self, type_: Type) -> Any:
        address = self.dice.pick((8, 16, 0x1000_0008, 0x1000_0010, 0x1000_0000, 1 << 40))
        return self.resolve(address) if isinstance(type_, Pointer) else address

    def wrapped(self, place: tuple[Spot, int], type_: Type) -> int:
        assert isinstance(type_, Int)
        return type_.wrap(place[0].base + place[1])

    def within(self, number: Num) -> int:
        low, high, step = number
        if not step:
            return low
        last = (high - low) // step
        return low + step * self.dice.pick((0, last, last // 2, min(1, last)))

    # Meaning.

    def resolve(self, address: int) -> tuple[Spot, int]:
        if not address:
            return (NOWHERE_AT_ALL, 0)
        inside = [s for s in self.spots if s.base <= address < s.base + max(s.size, 1)]
        ends = [s for s in self.spots if address == s.base + s.size]
        for spot in (*inside, *ends):
            return (spot, address - spot.base)
        return (NOWHERE_AT_ALL, address)

    def setting(self) -> Setting:
        world = self.domain.world

        def block(kind: str, data: int | str) -> Spot:
            if kind == "local":
                assert isinstance(data, int)
                name = world.object_site("p", data)
            else:
                made = world.code_block if kind == "function" else world.global_block
                name = made("f" if kind == "function" else str(data))
            return next(spot for spot in self.spots if spot.name == name)

        return Setting(
            lambda index: self.held[index], block, lambda spot: spot.base, self.resolve,
            DataModel.LP64.word,
        )  # fmt: skip

    def allows(self, value: Value, found: Any, type_: Type) -> bool:
        """Does a value allow what was found?"""
        number, pointers, unset = value
        places = dict(pointers)
        if unset or UNKNOWN in places or isinstance(type_, Float):
            return True
        if isinstance(type_, Pointer):
            spot, offset = found
            if spot is NOWHERE_AT_ALL:
                return offset == 0 and number is not None and num.contains(number, 0)
            known = places.get(spot.name)
            return known is not None and (known == ANY_OFFSET or num.contains(known, offset))
        assert isinstance(type_, Int)
        if number is not None and num.contains(number, found):
            return True
        return any(
            offset == ANY_OFFSET or num.contains(offset, distance)
            for spot in self.spots
            if (offset := places.get(spot.name)) is not None
            for distance in ((found - spot.base), (found % (1 << 64)) - spot.base)
        )

    def check(self, after: State | None, why: object) -> State:
        """The state still allows every variable."""
        assert after is not None, why
        for index, type_ in enumerate(TYPES):
            value = after.value(index)
            held = self.held[index]
            assert self.allows(value, held, type_), (why, index, value, held)
        for relation, truth in after.facts.items():
            found = meaning(relation, self.setting())
            assert found is UNCLEAR or found is truth, (why, relation, truth)
        return after


@pytest.mark.parametrize("checked", DOMAINS)
@many_examples(300)
@given(data=st.data())
def test_values_cover_meanings(checked: str, data: st.DataObject) -> None:
    case = Case(dice_of(data), DOMAINS[checked])
    terms = case.domain._terms
    dice = TermDice(case.dice, SCOPE)
    root = dice.of(case.dice.pick(TERMS), 3)
    found = meaning(root, case.setting())
    if found is UNCLEAR:
        return
    if isinstance(root.type, Logic):
        assert terms.test(root)(case.state) & (TRUE if found else FALSE), told(case, root, found)
        return
    for evaluate in (terms.value, terms.use):
        value = evaluate(root)(case.state)
        assert case.allows(value, found, root.type), told(case, root, found, value)


@pytest.mark.parametrize("checked", DOMAINS)
@many_examples(300)
@given(data=st.data())
def test_assuming_keeps_what_the_condition_holds_for(checked: str, data: st.DataObject) -> None:
    case = Case(dice_of(data), DOMAINS[checked])
    terms = case.domain._terms
    dice = TermDice(case.dice, SCOPE)
    state = case.state
    story = []
    for _ in range(1 + case.dice.below(3)):
        root = condition(case.dice, dice)
        found = meaning(root, case.setting())
        if found is UNCLEAR:
            continue
        story.append(told(case, root, found))
        assert terms.test(root)(state) & (TRUE if found else FALSE), story
        state = case.check(case.domain._assumptions.assume(root, found)(state), story)


def condition(dice: Dice, terms: TermDice) -> Term:
    """Any; more often one that compares what branches of programs compare."""
    if dice.below(3) == 0:
        return terms.of(LOGIC, 2)
    types: tuple[Type, ...] = (I32, VOID_POINTER, U8, I64, U64)
    type_ = dice.pick(types)
    left, right = terms.of(type_, dice.below(3)), terms.of(type_, dice.below(2))
    if isinstance(type_, Int) and dice.chance():
        right = const(type_, dice.pick(EDGES))
    elif isinstance(type_, Pointer) and dice.chance():
        right = const(type_, 0)
    return term(dice.pick(("eq", "ne", "lt", "le")), LOGIC, (left, right))


def text(root: Term) -> str:
    inside = ", ".join([repr(root.data)] * (root.data is not None) + [text(a) for a in root.args])
    return f"{root.op}:{short(root.type)}({inside})"


def short(type_: Type) -> str:
    if isinstance(type_, Int):
        return ("i" if type_.signed else "u") + str(type_.bits)
    return {Pointer: "p", Float: "f", Logic: "l"}.get(type(type_), "?")


def told(case: Case, root: Term, found: object, value: object = None) -> str:
    variables = [
        f"v{index} = {case.held[index]} of {case.state.value(index)}" for index in range(len(TYPES))
    ]
    return "\n".join([text(root), f"is {found}, not {value}", *variables])
