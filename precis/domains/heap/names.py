"""Names of blocks and of what is unknown at entry, and values made of them.

name               stands for
----------------------------------------------------------------------------------------
argument i         what the i-th argument is at entry
argument key       a pointer that a function without a body gives at a call (`externals.py`)
in base off type   what memory holds at entry, at `off` bytes from where `base` points; a step may
                   read it somewhere: at an `any` that is named after the step
global, code       the block of a global, of a procedure
new path           a block made by a step; the path has the calls on the way to it, outermost first
object path i      the block of a local
any key low high   a number that nobody outside can know: an input, or one that a loop moves
term op a b type   what an operation makes of two numbers
after, before      how many bytes lie behind, and in front of, where a pointer leads at entry
length             how many bytes from there on, at entry, come before one that is zero, or before
                   the end of the block if none is
undefined, top     a value nobody set; any value whatever

An unknown pointer is also the base of a region: the cells around the place where it leads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias, final

from precis.domains.values import num
from precis.domains.values.num import Num
from precis.ir.types import VOID_POINTER, Int, Pointer, Type


class Kind(IntEnum):
    GLOBAL = 0
    CODE = 1
    ARGUMENT = 2
    IN = 3
    NEW = 4
    OBJECT = 5
    ANY = 6
    AFTER = 7
    BEFORE = 8
    UNDEFINED = 9
    TOP = 10
    TERM = 11
    LENGTH = 12


@final
class Name:
    """Made by `name`; equal names are one object. `order` sorts them in a fixed way."""

    __slots__ = ("_hash", "depth", "kind", "leads", "order", "parts")

    kind: Kind
    parts: tuple[Any, ...]
    depth: int  # how many times memory was read from an argument or a global on
    order: tuple[Any, ...]
    leads: bool  # to memory that is there at entry
    _hash: int

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: Name) -> bool:
        return self.order < other.order

    def __repr__(self) -> str:
        return f"{self.kind.name.lower()}({', '.join(map(str, self.parts))})"

    def __reduce__(self) -> str:
        raise TypeError("names travel through the codec")


_table: dict[tuple[Kind, tuple[Any, ...]], Name] = {}


def name(kind: Kind, *parts: Any) -> Name:
    key = (kind, parts)
    found = _table.get(key)
    if found is None:
        found = Name.__new__(Name)
        found.kind, found.parts, found._hash = kind, parts, hash(key)
        inner = parts[0] if parts and isinstance(parts[0], Name) else None
        found.depth = 0 if inner is None else inner.depth + (kind is Kind.IN)
        if kind is Kind.TERM:
            found.depth = 1 + max((s.depth for v in parts[1:3] for s, _ in v.linear), default=0)
        plain = tuple(p.order if isinstance(p, Name) else _sortable(p) for p in parts)
        found.order = (found.depth, int(kind), plain)
        given = kind in (Kind.ARGUMENT, Kind.IN) and isinstance(parts[-1], Pointer)
        found.leads = given or kind is Kind.GLOBAL
        _table[key] = found
    return found


def _sortable(part: Any) -> tuple[str, Any]:
    if isinstance(part, Value):
        return ("Value", (tuple((s.order, n) for s, n in part.linear), part.number))
    return (type(part).__name__, part if isinstance(part, int | str) else repr(part))


UNDEFINED: Final = name(Kind.UNDEFINED)
TOP: Final = name(Kind.TOP)
BLOCKS: Final = frozenset({Kind.GLOBAL, Kind.CODE, Kind.NEW, Kind.OBJECT})
# How many bytes lie behind, or in front of, where a pointer leads. Callers may give one that leads
# out of its block: then one of the two is negative.
ROOM: Final = num.make(-(1 << 62), (1 << 62) - 1)
LENGTHS: Final = num.make(0, (1 << 62) - 1)  # of texts


def is_block(base: Name) -> bool:
    return base.kind in BLOCKS


def is_region(base: Name) -> bool:
    """Does it stand for memory that is there at entry, or may be?"""
    return base.leads


def given(key: tuple[Any, ...]) -> Name:
    """A pointer that comes from outside at a step."""
    return name(Kind.ARGUMENT, key, VOID_POINTER)


def is_given(symbol: Name) -> bool:
    return symbol.kind is Kind.ARGUMENT and not isinstance(symbol.parts[0], int)


def is_from_outside(symbol: Name) -> bool:
    """Does it come from outside at a step, or is it read from what does?"""
    while symbol.kind is Kind.IN:
        symbol = symbol.parts[0]
    return is_given(symbol)


READS: Final = "reads"
READ: Final = "read"  # in an earlier turn of a loop
DEEPEST: Final = 6  # calls on the way to a step that something is named after


def somewhere(offset: Value, key: tuple[Any, ...]) -> Value:
    """The same offset, or another one of the kind: where a step read, whatever the index was."""
    low, _, step = offset.number
    stride = math.gcd(step, *(count for _, count in offset.linear)) or 1
    place = name(Kind.ANY, key, *ROOM[:2])
    return Value(None, ((place, stride),), num.const(low % stride))


def is_place(symbol: Name) -> bool:
    """Is it where a step read?"""
    return symbol.kind is Kind.ANY and _last(symbol.parts[0]) in (READS, READ)


def _last(key: Any) -> Any:
    while isinstance(key, tuple) and len(key) == 4:
        key = key[3]
    return key[3] if isinstance(key, tuple) and len(key) == 5 else None


def is_deep(key: tuple[Any, ...]) -> bool:
    """Does a key pass many calls, or one of them twice?"""
    calls = []
    while len(key) == 4 and isinstance(key[3], tuple):
        calls.append(key[:3])
        key = key[3]
    return len(calls) >= DEEPEST or len(set(calls)) < len(calls)


def type_of(symbol: Name) -> Type | None:
    """The type of an unknown at entry."""
    if symbol.kind in (Kind.ARGUMENT, Kind.IN):
        found: Type = symbol.parts[-1]
        return found
    return None


def range_of(symbol: Name) -> Num:
    """The numbers that an unknown number can be."""
    if symbol.kind is Kind.ANY:
        return num.make(symbol.parts[1], symbol.parts[2])
    if symbol.kind in (Kind.AFTER, Kind.BEFORE):
        return ROOM
    if symbol.kind is Kind.LENGTH:
        return LENGTHS
    if symbol.kind is Kind.TERM:
        op, a, b, type_ = symbol.parts
        return ranged(op, extent(a), extent(b), type_)
    type_ = type_of(symbol)
    assert isinstance(type_, Int)
    return num.of_type(type_)


Linear: TypeAlias = tuple[tuple[Name, int], ...]


class Value(NamedTuple):
    """`base` + `linear` + some number of `number`; without a base it is a number."""

    base: Name | None
    linear: Linear
    number: Num

    @property
    def is_number(self) -> bool:
        return self.base is None

    @property
    def is_constant(self) -> bool:
        return not self.linear and self.number[0] == self.number[1]

    def moved(self, by: int) -> Value:
        low, high, step = self.number
        return Value(self.base, self.linear, (low + by, high + by, step))


ZERO: Final = num.const(0)
NULL: Final = Value(None, (), ZERO)
ANYTHING: Final = Value(TOP, (), ZERO)
UNSET: Final = Value(UNDEFINED, (), ZERO)
SOME: Final = Value(None, (), num.make(-(1 << 63), (1 << 64) - 1))  # any bits that were set


_RANGES: Final[dict[str, Callable[[Num, Num], Num | None]]] = {
    "mul": num.mul, "div": num.div, "rem": num.rem, "band": num.band, "bor": num.bor,
    "bxor": num.bxor, "shl": num.shl, "shr": num.shr,
}  # fmt: skip


def ranged(op: str, a: Num, b: Num, type_: Int) -> Num:
    """What an operation can make of two ranges; the operands are of the type, too."""
    whole = num.of_type(type_)
    a = num.meet(a, whole) or whole
    if op in ("shl", "shr"):
        b = num.band(b, num.const(type_.bits - 1))
    else:
        b = num.meet(b, whole) or whole
    result = _RANGES[op](a, b)
    return num.of_type(type_) if result is None else num.wrap(result, type_)


MOST_NESTED: Final = 8


def computed(op: str, a: Value, b: Value, type_: Int) -> Value:
    """An operation on two numbers: a constant, a name for it, or a range."""
    range_ = ranged(op, extent(a), extent(b), type_)
    exact = a.number[0] == a.number[1] and b.number[0] == b.number[1]
    if range_[0] == range_[1] or not exact:
        return Value(None, (), range_)
    if op in ("band", "bor", "bxor", "mul") and b.linear < a.linear:
        a, b = b, a
    found = name(Kind.TERM, op, a, b, type_)
    return Value(None, ((found, 1),), ZERO) if found.depth <= MOST_NESTED else numbers(range_)


def constant(number: int) -> Value:
    return Value(None, (), num.const(number))


def numbers(range_: Num) -> Value:
    return Value(None, (), range_)


def pointer(base: Name, offset: int = 0) -> Value:
    return Value(base, (), num.const(offset))


def unknown(symbol: Name) -> Value:
    """What an unknown at entry is: a number, or a pointer that is not null."""
    if isinstance(type_of(symbol), Pointer):
        return pointer(symbol)
    return Value(None, ((symbol, 1),), ZERO)


def plus(a: Value, b: Value) -> Value:
    """The sum, exact; one of them is a number."""
    base = a.base if a.base is not None else b.base
    return Value(base, _sum(a.linear, b.linear, 1), num.add(a.number, b.number))


def minus(a: Value, b: Value) -> Value:
    """The difference, exact, of two numbers or of two values with one base."""
    base = None if a.base is b.base else a.base
    return Value(base, _sum(a.linear, b.linear, -1), num.sub(a.number, b.number))


def times(a: Value, factor: int) -> Value:
    if factor == 0:
        return NULL
    linear = tuple((symbol, count * factor) for symbol, count in a.linear)
    return Value(None, linear, num.scale(a.number, factor))


def _sum(a: Linear, b: Linear, sign: int) -> Linear:
    if not b:
        return a
    counts = dict(a)
    for symbol, count in b:
        counts[symbol] = counts.get(symbol, 0) + sign * count
    return tuple(sorted((pair for pair in counts.items() if pair[1]), key=lambda p: p[0].order))


def extent(value: Value) -> Num:
    """All that the number, or the offset, can be if nothing is known of its parts."""
    total = value.number
    for symbol, count in value.linear:
        total = num.add(total, num.scale(range_of(symbol), count))
    return total
