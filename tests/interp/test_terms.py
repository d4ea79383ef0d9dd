"""Every operation of terms at every width, against definitions of C's own arithmetic."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.interp.arith import int_to_f32, round32
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
    Float,
    Int,
    Pointer,
    Type,
)
from precis.ir.values import Term, as_int, cast, const, diff, global_, null, offset, real, term
from tests.interp.building import VOID_POINTER, Body, execute, out, program

INTEGERS = (I8, U8, I16, U16, I32, U32, I64, U64, I128, U128)
NAMES = {t: f"{'i' if t.signed else 'u'}{t.bits}" for t in INTEGERS}


def samples(type_: Int) -> list[int]:
    middle = (type_.low + type_.high) // 2
    found = {type_.low, type_.low + 1, type_.high, type_.high - 1, 0, 1, 2, 7, middle}
    if type_.signed:
        found |= {-1, -2, -7}
    return sorted(found)


def evaluate(
    result: Type, make: Callable[..., Term], types: tuple[Type, ...], values: tuple[float, ...]
) -> object:
    """The value of a term over inputs of the types, as the referee computes it."""
    body = Body()
    inputs = [body.var(type_, f"x{i}") for i, type_ in enumerate(types)]
    for variable in inputs:
        body.choose(variable)
    body.store(out(0, result), make(*inputs))
    return execute(program(body.done()), values=values).value("out", result)


def truncated(x: int, y: int) -> int:
    sign = 1 if (x < 0) == (y < 0) else -1
    return sign * (abs(x) // abs(y))


MEANINGS: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda x, y, bits: x + y,
    "sub": lambda x, y, bits: x - y,
    "mul": lambda x, y, bits: x * y,
    "div": lambda x, y, bits: truncated(x, y),
    "rem": lambda x, y, bits: x - y * truncated(x, y),
    "band": lambda x, y, bits: x & y,
    "bor": lambda x, y, bits: x | y,
    "bxor": lambda x, y, bits: x ^ y,
    "shl": lambda x, y, bits: x << (y % bits),
    "shr": lambda x, y, bits: x >> (y % bits),
}


@pytest.mark.parametrize("type_", INTEGERS, ids=NAMES.get)
@pytest.mark.parametrize("op", MEANINGS)
def test_integer_operation(op: str, type_: Int) -> None:
    for x in samples(type_):
        for y in samples(type_)[::2]:
            if op in ("div", "rem") and y == 0:
                continue
            found = evaluate(type_, lambda a, b: term(op, type_, (a, b)), (type_, type_), (x, y))
            assert found == type_.wrap(MEANINGS[op](x, y, type_.bits)), (x, y)


@pytest.mark.parametrize("type_", INTEGERS, ids=NAMES.get)
@pytest.mark.parametrize("op", MEANINGS)
def test_integer_operation_with_a_constant(op: str, type_: Int) -> None:
    for x in samples(type_)[::2]:
        for y in (1, 3, type_.high, type_.low):
            if op in ("div", "rem") and y == 0:
                continue
            found = evaluate(
                type_,
                lambda a, y=y: term(op, type_, (a, const(type_, y))),
                (type_,),
                (x,),
            )
            assert found == type_.wrap(MEANINGS[op](x, y, type_.bits)), (x, y)
            found = evaluate(
                type_,
                lambda b, y=y: term(op, type_, (const(type_, y), b)),
                (type_,),
                (x or 1,),
            )
            assert found == type_.wrap(MEANINGS[op](y, x or 1, type_.bits)), (y, x)


@pytest.mark.parametrize("type_", INTEGERS, ids=NAMES.get)
def test_negation_and_complement(type_: Int) -> None:
    for x in samples(type_):
        assert evaluate(type_, lambda a: term("neg", type_, (a,)), (type_,), (x,)) == type_.wrap(-x)
        assert evaluate(type_, lambda a: term("bnot", type_, (a,)), (type_,), (x,)) == type_.wrap(
            ~x
        )


@pytest.mark.parametrize("type_", INTEGERS, ids=NAMES.get)
def test_integer_comparison(type_: Int) -> None:
    meanings = {"eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__}
    for op, meaning in meanings.items():
        for x in samples(type_)[::2]:
            for y in samples(type_):
                found = evaluate(
                    I32,
                    lambda a, b, op=op: as_int(term(op, LOGIC, (a, b))),
                    (type_, type_),
                    (x, y),
                )
                assert found == int(meaning(x, y)), (op, x, y)


@pytest.mark.parametrize("target", INTEGERS, ids=NAMES.get)
@pytest.mark.parametrize("source", INTEGERS, ids=NAMES.get)
def test_integer_conversion(source: Int, target: Int) -> None:
    for x in samples(source):
        found = evaluate(target, lambda a: term("cast", target, (a,)), (source,), (x,))
        assert found == target.wrap(x)


@pytest.mark.parametrize("type_", [I8, U8, I16, U16, I32, U32, I64, U64], ids=NAMES.get)
def test_division_by_zero_unchecked_is_any_value_of_the_type(type_: Int) -> None:
    for op in ("div", "rem"):
        found = evaluate(type_, lambda a, b: term(op, type_, (a, b)), (type_, type_), (5, 0))  # noqa: B023
        assert isinstance(found, int) and type_.low <= found <= type_.high


@settings(max_examples=60, deadline=None)
@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_nested_arithmetic_agrees_with_ctypes(x: int, y: int) -> None:
    def make(a: Term, b: Term) -> Term:
        total = term("add", I32, (a, b))
        return term("sub", I32, (term("mul", I32, (total, a)), term("bxor", I32, (b, total))))

    total = ctypes.c_int32(x + y).value
    expected = ctypes.c_int32(ctypes.c_int32(total * x).value - (y ^ total)).value
    assert evaluate(I32, make, (I32, I32), (x, y)) == expected


@pytest.mark.parametrize("op", ["and", "or"])
def test_connectives(op: str) -> None:
    for x in (0, 1):
        for y in (0, 1):
            found = evaluate(
                I32,
                lambda a, b: as_int(term(op, LOGIC, (term("cast", LOGIC, (a,)), cast(LOGIC, b)))),
                (I32, I32),
                (x, y),
            )
            assert found == int((x and y) if op == "and" else (x or y))


def test_not_and_choice() -> None:
    for x in (0, 3):
        picked = evaluate(
            I32,
            lambda a: term(
                "ite", I32, (term("not", LOGIC, (cast(LOGIC, a),)), const(I32, 4), const(I32, 5))
            ),
            (I32,),
            (x,),
        )
        assert picked == (5 if x else 4)


FLOATS = (0.0, -0.0, 1.0, -2.5, 0.1, 1e30, -1e-30, math.inf, -math.inf, math.nan)


def same(x: object, y: float) -> bool:
    assert isinstance(x, float)
    return struct.pack("d", x) == struct.pack("d", y) or (x != x and y != y)


def in_c(op: str, x: float, y: float) -> float:
    if op == "div":
        if y == 0:
            if x == 0 or x != x:
                return math.nan
            return math.copysign(math.inf, x) * math.copysign(1, y)
        return x / y
    return {"add": x + y, "sub": x - y, "mul": x * y}[op]


@pytest.mark.parametrize("type_", [F32, F64, F80], ids=["f32", "f64", "f80"])
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_float_operation(op: str, type_: Float) -> None:
    for x in FLOATS:
        for y in FLOATS:
            a, b = (round32(x), round32(y)) if type_ == F32 else (x, y)
            expected = in_c(op, a, b)
            if type_ == F32:
                expected = ctypes.c_float(expected).value
            found = evaluate(type_, lambda p, q: term(op, type_, (p, q)), (type_, type_), (a, b))
            assert same(found, expected), (x, y)


def test_float_negation_and_comparison() -> None:
    for x in FLOATS:
        assert same(evaluate(F64, lambda a: term("neg", F64, (a,)), (F64,), (x,)), -x)
        for y in FLOATS:
            for op, expected in (("eq", x == y), ("ne", x != y), ("lt", x < y), ("le", x <= y)):
                found = evaluate(
                    I32,
                    lambda a, b, op=op: as_int(term(op, LOGIC, (a, b))),
                    (F64, F64),
                    (x, y),
                )
                assert found == int(expected), (op, x, y)


def test_float_literals() -> None:
    for x in FLOATS:
        assert same(evaluate(F64, lambda x=x: real(F64, x), (), ()), x)


@pytest.mark.parametrize("type_", [I8, U8, I32, U32, I64, U64], ids=NAMES.get)
def test_float_to_integer(type_: Int) -> None:
    for x in (0.0, 1.9, -1.9, 100.5, 3e9, -3e9, 1e30, math.inf, math.nan):
        found = evaluate(type_, lambda a: term("cast", type_, (a,)), (F64,), (x,))
        whole = int(x) if math.isfinite(x) else None
        if whole is not None and type_.low <= whole <= type_.high:
            assert found == whole
        else:
            assert isinstance(found, int) and type_.low <= found <= type_.high


@pytest.mark.parametrize("type_", INTEGERS, ids=NAMES.get)
def test_integer_to_float(type_: Int) -> None:
    for x in samples(type_):
        assert evaluate(F64, lambda a: term("cast", F64, (a,)), (type_,), (x,)) == float(x)
        narrow = evaluate(F32, lambda a: term("cast", F32, (a,)), (type_,), (x,))
        assert narrow == int_to_f32(x)


@given(st.integers(-(2**63), 2**64 - 1))
def test_integer_to_float_rounds_once(x: int) -> None:
    convert = ctypes.c_float(x).value if abs(x) < 2**53 else None
    found = int_to_f32(x)
    if convert is not None:
        assert found == convert
    below, above = math.nextafter(found, -math.inf), math.nextafter(found, math.inf)
    step = max(abs(round32(above + (found - below))), 1.0) * 2**-23
    assert abs(int(found) - x) <= step


def test_integer_to_float_does_not_round_twice() -> None:
    # Through a double this would be a tie, and go to the even neighbour below.
    x = 2**60 + 2**36 + 1
    assert int_to_f32(x) == 2**60 + 2**37
    assert int_to_f32(-x) == -(2**60 + 2**37)


def test_float_to_float_rounds() -> None:
    assert evaluate(F32, lambda a: term("cast", F32, (a,)), (F64,), (0.1,)) == round32(0.1) != 0.1
    assert evaluate(F64, lambda a: term("cast", F64, (a,)), (F32,), (0.5,)) == 0.5


def test_logic_becomes_any_type() -> None:
    def truth(a: Term) -> Term:
        return term("ne", LOGIC, (a, const(I32, 0)))

    for x in (0, 5):
        assert evaluate(U64, lambda a: cast(U64, truth(a)), (I32,), (x,)) == (x != 0)
        assert evaluate(F64, lambda a: cast(F64, truth(a)), (I32,), (x,)) == float(x != 0)


def test_pointer_moves_and_distance() -> None:
    word = Int(64, True)

    def distance(n: Term) -> Term:
        moved = offset(cast(Pointer(I32), out()), n, 4)
        return diff(offset(moved, const(word, 3)), cast(Pointer(I32), out()), word)

    for n in (0, 5, -5, 1000):
        assert evaluate(I64, distance, (word,), (n,)) == 4 * n + 3


def test_pointer_comparison_inside_a_block() -> None:
    word = Int(64, True)
    for op, meaning in (
        ("eq", int.__eq__), ("ne", int.__ne__), ("lt", int.__lt__), ("le", int.__le__)
    ):  # fmt: skip
        for x in (0, 4, 8):
            found = evaluate(
                I32,
                lambda n: as_int(term(op, LOGIC, (offset(out(), n), out(4)))),  # noqa: B023
                (word,),
                (x,),
            )
            assert found == int(meaning(x, 4)), (op, x)


def test_null_is_equal_to_null_only() -> None:
    nothing = null(VOID_POINTER)
    found = evaluate(
        I32, lambda: as_int(term("eq", LOGIC, (global_("out", VOID_POINTER), nothing))), (), ()
    )
    assert found == 0
    zero = evaluate(
        I32, lambda n: as_int(term("eq", LOGIC, (cast(VOID_POINTER, n), nothing))), (I64,), (0,)
    )
    assert zero == 1
    truth = evaluate(
        I32, lambda: as_int(term("cast", LOGIC, (global_("out", VOID_POINTER),))), (), ()
    )
    assert truth == 1


def test_pointer_to_integer_and_back() -> None:
    def there_and_back(n: Term) -> Term:
        address = term("cast", U64, (offset(out(), n),))
        back = term("cast", VOID_POINTER, (address,))
        return diff(back, out(), Int(64, True))

    for n in (0, 1, 63, 64):
        assert evaluate(I64, there_and_back, (I64,), (n,)) == n


def test_address_is_aligned_and_narrowed() -> None:
    whole = evaluate(U64, lambda: term("cast", U64, (out(),)), (), ())
    low = evaluate(U8, lambda: term("cast", U8, (out(),)), (), ())
    assert isinstance(whole, int) and whole % 16 == 0
    assert low == whole & 255
    signed = evaluate(I8, lambda: term("cast", I8, (out(),)), (), ())
    assert signed == I8.wrap(whole)


def test_deep_terms() -> None:
    def deep(a: Term) -> Term:
        total = a
        for _ in range(3000):
            total = term("add", I32, (total, a))
        return total

    assert evaluate(I32, deep, (I32,), (1,)) == 3001


def test_deep_pointer_terms() -> None:
    def deep(n: Term) -> Term:
        place = out()
        for _ in range(500):
            place = term("offset", place.type, (place, n), 1)
        return diff(place, out(), Int(64, True))

    assert evaluate(I64, deep, (I64,), (1,)) == 500


@pytest.mark.parametrize("scale", [1, 2, 3, 8, -1, -2, 24])
@pytest.mark.parametrize("count", [-5, 0, 1, 7])
def test_scaled_offsets(scale: int, count: int) -> None:
    def moved(n: Term) -> Term:
        return diff(offset(out(), n, scale), out(), Int(64, True))

    assert evaluate(I64, moved, (I64,), (count,)) == count * scale
