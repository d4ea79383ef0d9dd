"""Draws of types and terms, cheap enough for whole programs.

Everything is one small integer after another, so that Hypothesis spends its time on what it
draws and not on building strategies; index 0 is always the simplest choice, for shrinking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from precis.ir.location import NOWHERE, Location
from precis.ir.types import (
    F32,
    F64,
    F80,
    I8,
    I16,
    I32,
    I64,
    I128,
    LOGIC,
    U8,
    U16,
    U32,
    U64,
    U128,
    VOID,
    VOID_POINTER,
    Array,
    BitRange,
    DataModel,
    Float,
    Function,
    Int,
    Pointer,
    Record,
    Type,
)
from precis.ir.values import Op, Term, term

T = TypeVar("T")

HOSTILE = (
    "main", "n", "a b", 'quo"te', "back\\slash", "new\nline", "tab\t", "größe", "\u202eevil", "",
    "<script>alert(1)</script>", "]]>", "-->", "\x1b[31m", "\udc80", "\ud83d\ude00", "\x00", "size",
    "\U0001f600", "inf", "nan_7ff8000000000000", "b0", "if", "let", "@", "%3", "// no", "by", "fn",
)  # fmt: skip
PLACES = (
    NOWHERE,
    Location("a.c", 3),
    Location("a.c", 3, 5),
    Location("a.c", 3, 5, 3, 9),
    Location("a.c", 3, 0, 4, 1),
    Location("<script>\n", 12, 5, 12, 9, "MAX"),
    Location("b c.h", 12, 5, 12, 9, "odd name", (12, 7)),
    Location("", 1, 2),
)
INTS = (I32, I8, U8, I16, U16, U32, I64, U64, I128, U128)
FLOATS = (F64, F32, F80)
SCALARS: tuple[Type, ...] = (*INTS, *FLOATS, VOID_POINTER)


@cache
def _below(bound: int) -> st.SearchStrategy[int]:
    return st.integers(0, bound - 1)


@cache
def _between(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


_REALS = {bits: st.floats(width=32 if bits == 32 else 64) for bits in (32, 64, 80)}
_TEXT = st.text(max_size=4)
_BYTES = st.binary(max_size=6)


@dataclass(frozen=True, slots=True)
class Scope:
    """What types and terms may refer to."""

    model: DataModel
    variables: tuple[Type, ...] = ()
    objects: tuple[Type, ...] = ()
    globals: tuple[str, ...] = ()
    functions: tuple[tuple[str, Function], ...] = ()
    records: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dice:
    draw: st.DrawFn

    def below(self, bound: int) -> int:
        return self.draw(_below(bound)) if bound > 1 else 0

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def chance(self) -> bool:
        return self.below(2) == 1

    def name(self) -> str:
        at = self.below(len(HOSTILE) + 2)
        return HOSTILE[at] if at < len(HOSTILE) else self.draw(_TEXT)

    def names(self, most: int) -> list[str]:
        """Different ones, none empty."""
        return list(dict.fromkeys(filter(None, (self.name() for _ in range(self.below(most + 1))))))

    def place(self) -> Location:
        return self.pick(PLACES)

    def bytes(self) -> bytes:
        return self.draw(_BYTES)

    def stored(self, records: tuple[str, ...], depth: int = 2) -> Type:
        """A type that memory can hold."""
        match self.below(5) if depth else 0:
            case 1:
                return self.pointer(records, depth - 1)
            case 2:
                count = self.pick((None, 0, 1, 3))
                return Array(self.stored(records, depth - 1), count)
            case 3 if records:
                return Record(self.pick(records))
            case _:
                return self.pick(SCALARS)

    def pointer(self, records: tuple[str, ...], depth: int) -> Type:
        match self.below(3):
            case 0:
                return VOID_POINTER
            case 1:
                return Pointer(self.function(records, depth))
            case _:
                return Pointer(self.stored(records, depth))

    def scalar(self, records: tuple[str, ...]) -> Type:
        return self.pointer(records, 2) if self.below(3) == 2 else self.pick(SCALARS)

    def function(self, records: tuple[str, ...], depth: int = 1) -> Function:
        def passed() -> Type:
            type_ = self.stored(records, depth)
            return VOID_POINTER if isinstance(type_, Array) else type_

        result = passed() if self.chance() else VOID
        parameters = tuple(passed() for _ in range(self.below(3)))
        return Function(result, parameters, self.chance())

    def bits(self, type_: Type) -> BitRange | None:
        if not isinstance(type_, Int) or self.chance():
            return None
        return BitRange(self.below(8), 1 + self.below(type_.bits))

    def constant(self, type_: Type, model: DataModel) -> Term:
        match type_:
            case Int():
                edges = (type_.wrap(1), type_.low, type_.high)
                at = self.below(4)
                value = edges[at] if at < 3 else self.draw(_between(type_.low, type_.high))
                return term("const", type_, (), value)
            case Float(bits=bits):
                return term("real", type_, (), self.draw(_REALS[bits]))
            case Pointer():
                high = (1 << (8 * model.pointer_bytes)) - 1
                return term("const", type_, (), self.pick((0, 16, high)))
            case _:
                return term("const", LOGIC, (), self.below(2))


_Make = Callable[[], Term]


@dataclass(frozen=True, slots=True)
class TermDice:
    """Draws terms of a wanted type."""

    dice: Dice
    scope: Scope

    def of(self, type_: Type, depth: int = 2) -> Term:
        ways = self._leaves(type_)
        if depth > 0:
            ways += self._operations(type_, depth - 1)
        return self.dice.pick(ways)()

    def address(self, depth: int = 1) -> Term:
        return self.of(self.dice.pick((VOID_POINTER, Pointer(I32))), depth)

    def size(self) -> Term:
        return self.of(U64, 1)

    def _leaves(self, type_: Type) -> list[_Make]:
        ways: list[_Make] = [lambda: self.dice.constant(type_, self.scope.model)]
        leaves: list[tuple[Op, int | str]] = [
            ("var", index) for index, t in enumerate(self.scope.variables) if t == type_
        ]
        if isinstance(type_, Pointer):
            leaves += [("local", index) for index in range(len(self.scope.objects))]
            leaves += [("global", name) for name in self.scope.globals]
            leaves += [("function", name) for name, _ in self.scope.functions]

        def leaf() -> Term:
            op, data = self.dice.pick(leaves)
            return term(op, type_, (), data)

        return [*ways, leaf] if leaves else ways

    def _operations(self, type_: Type, depth: int) -> list[_Make]:
        ways: list[_Make] = [lambda: self._choice(type_)]
        if type_ != LOGIC:
            ways.append(lambda: term("cast", type_, (self._convertible(type_, depth),)))
        match type_:
            case Int():
                ways.append(lambda: self._binary(type_, _INTEGER_OPS, depth))
                ways.append(lambda: self._shift(type_, depth))
                ways.append(lambda: self._unary(type_, ("neg", "bnot"), depth))
                if type_ == self.scope.model.word:
                    ways.append(lambda: term("diff", type_, (self.address(0), self.address(0))))
            case Float():
                ways.append(lambda: self._binary(type_, ("add", "sub", "mul", "div"), depth))
                ways.append(lambda: self._unary(type_, ("neg",), depth))
            case Pointer():
                ways.append(lambda: self._offset(type_, depth))
            case _:
                ways.append(lambda: self._compare(depth))
                ways.append(lambda: self._unary(LOGIC, ("not",), depth))
                ways.append(lambda: self._binary(LOGIC, ("and", "or"), depth))
        return ways

    def _choice(self, type_: Type) -> Term:
        return term("ite", type_, (self.of(LOGIC, 0), self.of(type_, 0), self.of(type_, 0)))

    def _unary(self, type_: Type, ops: tuple[Op, ...], depth: int) -> Term:
        return term(self.dice.pick(ops), type_, (self.of(type_, depth),))

    def _binary(self, type_: Type, ops: tuple[Op, ...], depth: int) -> Term:
        return term(self.dice.pick(ops), type_, (self.of(type_, depth), self.of(type_, depth)))

    def _shift(self, type_: Type, depth: int) -> Term:
        op: Op = "shl" if self.dice.chance() else "shr"
        return term(op, type_, (self.of(type_, depth), self.of(self.dice.pick(INTS), 0)))

    def _compare(self, depth: int) -> Term:
        op: Op = self.dice.pick(_COMPARISONS)
        type_ = self.dice.pick(_OTHERS)
        return term(op, LOGIC, (self.of(type_, depth), self.of(type_, depth)))

    def _offset(self, type_: Type, depth: int) -> Term:
        count = self.of(self.scope.model.word, depth)
        scale = 1 if count.op == "const" else 1 + self.dice.below(16)
        return term("offset", type_, (self.of(type_, depth), count), scale)

    def _convertible(self, type_: Type, depth: int) -> Term:
        never = {Pointer: Float, Float: Pointer}.get(type(type_))
        sources = [t for t in _OTHERS if type(t) is not never and t != type_]
        if not isinstance(type_, Pointer):
            sources.append(LOGIC)
        return self.of(self.dice.pick(sources), depth)


_INTEGER_OPS: tuple[Op, ...] = ("add", "sub", "mul", "div", "rem", "band", "bor", "bxor")
_COMPARISONS: tuple[Op, ...] = ("eq", "ne", "lt", "le")
_OTHERS: tuple[Type, ...] = (I32, U8, I64, F64, VOID_POINTER)
