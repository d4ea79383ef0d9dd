"""Integer types of C (LP64) and the ranges of what operators make of ranges.

An operation is built only if it is defined for every value of its operands: `binary` and `unary`
answer None when it might not be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scalar:
    """An integer type; `rank` orders long and long long, which are equally wide."""

    name: str
    bits: int
    signed: bool
    rank: int

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1


SCHAR = Scalar("signed char", 8, True, 1)
UCHAR = Scalar("unsigned char", 8, False, 1)
SHORT = Scalar("short", 16, True, 2)
USHORT = Scalar("unsigned short", 16, False, 2)
INT = Scalar("int", 32, True, 3)
UINT = Scalar("unsigned", 32, False, 3)
LONG = Scalar("long", 64, True, 4)
ULONG = Scalar("unsigned long", 64, False, 4)
LLONG = Scalar("long long", 64, True, 5)
ULLONG = Scalar("unsigned long long", 64, False, 5)
SCALARS = (SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG)
FORMATS = {3: ("%u", "%d"), 4: ("%lu", "%ld"), 5: ("%llu", "%lld")}

Meaning = Callable[[Sequence[int]], int]

ATOM = 16
UNARY = 14
PRECEDENCE = {
    "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11,
    "<": 10, "<=": 10, ">": 10, ">=": 10, "==": 9, "!=": 9,
    "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4, "?:": 3, "=": 2, ",": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """An expression without side effects, its type, and bounds of its value."""

    text: str
    type: Scalar
    low: int
    high: int
    precedence: int = ATOM

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def wrapped(self, least: int) -> str:
        """The text, in parentheses if it binds weaker than `least`."""
        return self.text if self.precedence >= least else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Variable:
    """A scalar variable that stays between `low` and `high` as long as it lives.

    `meaning` computes its value from the inputs; None if it is not known that way.
    """

    name: str
    type: Scalar
    low: int
    high: int
    writable: bool = True
    meaning: Meaning | None = None

    @property
    def value(self) -> Value:
        return Value(self.name, self.type, self.low, self.high)


def constant(number: int, type_: Scalar = INT) -> Value:
    """A literal; the type decides its suffix, and is at least int."""
    type_ = promoted(type_)
    suffix = ("" if type_.signed else "u") + {3: "", 4: "L", 5: "LL"}[type_.rank]
    text = f"{number}{suffix}"
    return Value(text, type_, number, number, UNARY if number < 0 else ATOM)


def promoted(type_: Scalar) -> Scalar:
    return INT if type_.bits < 32 else type_


def common(left: Scalar, right: Scalar) -> Scalar:
    """The type of the usual arithmetic conversions (C17 6.3.1.8)."""
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    winner = left if left.rank >= right.rank else right
    if left.signed and right.signed:
        return winner
    return next(s for s in SCALARS if s.rank == winner.rank and not s.signed)


def converted(low: int, high: int, type_: Scalar) -> tuple[int, int]:
    """Bounds after a conversion, which wraps if the type cannot hold all values."""
    if type_.low <= low and high <= type_.high:
        return low, high
    return type_.low, type_.high


def cast(value: Value, type_: Scalar) -> Value:
    low, high = converted(value.low, value.high, type_)
    return Value(f"({type_.name}){value.wrapped(UNARY)}", type_, low, high, UNARY)


def unary(operator: str, value: Value) -> Value | None:
    type_ = promoted(value.type)
    if operator == "!":
        low, high, type_ = 0, 1, INT
    elif operator == "~":
        low, high = converted(~value.high, ~value.low, type_)
    elif type_.signed and value.low == type_.low:
        return None
    else:
        low, high = converted(-value.high, -value.low, type_)
    inner = value.wrapped(UNARY)
    gap = " " if inner.startswith(operator) else ""
    return Value(f"{operator}{gap}{inner}", type_, low, high, UNARY)


def binary(operator: str, left: Value, right: Value) -> Value | None:
    """`left operator right`, or None if it may be undefined."""
    strength = PRECEDENCE[operator]
    text = f"{left.wrapped(strength)} {operator} {right.wrapped(strength + 1)}"
    if operator in ("<", "<=", ">", ">=", "==", "!=", "&&", "||"):
        return Value(text, INT, 0, 1, strength)
    if operator in ("<<", ">>"):
        type_ = promoted(left.type)
        bounds = _shift(operator, type_, left, right)
    else:
        type_ = common(left.type, right.type)
        bounds = _arithmetic(operator, type_, left, right)
    return bounds and Value(text, type_, bounds[0], bounds[1], strength)


def _shift(operator: str, type_: Scalar, left: Value, right: Value) -> tuple[int, int] | None:
    if not right.within(0, type_.bits - 1):
        return None
    if operator == ">>":
        ends = [v >> n for v in (left.low, left.high) for n in (right.low, right.high)]
        return min(ends), max(ends)
    high = left.high << right.high
    if type_.signed and (left.low < 0 or high > type_.high):
        return None
    return converted(left.low << right.low, high, type_)


def _arithmetic(operator: str, type_: Scalar, left: Value, right: Value) -> tuple[int, int] | None:
    a = converted(left.low, left.high, type_)
    b = converted(right.low, right.high, type_)
    if operator in ("+", "-", "*"):
        low, high = _ring(operator, a, b)
        fits = type_.low <= low and high <= type_.high
        return None if type_.signed and not fits else converted(low, high, type_)
    if operator in ("/", "%"):
        if b[0] <= 0 <= b[1] or (a[0] == type_.low and type_.signed and b[0] <= -1 <= b[1]):
            return None
        return _quotient(a, b) if operator == "/" else _remainder(a, b)
    return _bitwise(operator, a, b)


def _ring(operator: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    if operator == "+":
        return a[0] + b[0], a[1] + b[1]
    if operator == "-":
        return a[0] - b[1], a[1] - b[0]
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _quotient(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    ends = [_truncate(x, y) for x in a for y in b]
    if a[0] <= 0 <= a[1]:
        ends.append(0)
    return min(ends), max(ends)


def _truncate(dividend: int, divisor: int) -> int:
    size = abs(dividend) // abs(divisor)
    return size if (dividend < 0) == (divisor < 0) else -size


def _remainder(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    most = max(abs(b[0]), abs(b[1])) - 1
    return max(-most, min(a[0], 0)), min(most, max(a[1], 0))


def _bitwise(operator: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    width = max(abs(end).bit_length() for end in (*a, *b))
    if a[0] >= 0 and b[0] >= 0:
        return 0, min(a[1], b[1]) if operator == "&" else (1 << width) - 1
    if operator == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, a[1] if a[0] >= 0 else b[1]
    return -(1 << width), (1 << width) - 1
