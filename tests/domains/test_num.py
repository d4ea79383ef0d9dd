"""Strided intervals: against all small ones by brute force, and laws on large ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.domains.values import num
from precis.domains.values.num import BOTH, EXTREME, FALSE, TRUE, Num, const, make
from precis.ir.types import I8, I16, I32, I64, I128, U8, U16, U32, U64, U128, Int

Pair = tuple[Num, Num]


def all_within(low: int, high: int) -> list[Num]:
    """Every strided interval between two bounds, each once."""
    bounds = [(x, y) for x in range(low, high + 1) for y in range(x, high + 1)]
    return sorted({make(x, y, step) for x, y in bounds for step in range(1, y - x + 2)})


def best(values: Iterable[int]) -> Num | None:
    """The least strided interval that covers the values."""
    found = set(values)
    if not found:
        return None
    low = min(found)
    return (low, max(found), gcd(*(value - low for value in found)))


def normal(n: Num) -> bool:
    low, high, step = n
    if step == 0:
        return low == high
    return step > 0 and low < high and (high - low) % step == 0


def covers(n: Num | None, values: Iterable[int]) -> bool:
    """Is `n` in normal form, with all the values in it?"""
    if n is None:
        return not set(values)
    return normal(n) and set(num.values_of(n)).issuperset(values)


def truncated(x: int, y: int) -> int:
    """x / y as C has it."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def remainder(x: int, y: int) -> int:
    return x - y * truncated(x, y)


SMALL = all_within(-5, 5)
SETS = {n: tuple(num.values_of(n)) for n in SMALL}
PAIRS = [(a, b) for a in SMALL for b in SMALL]
NIBBLES = all_within(-8, 7)
COUNTS = all_within(0, 3)

_bound = st.one_of(
    st.integers(-40, 40),
    st.integers(-(1 << 70), 1 << 70),
    st.sampled_from(
        [p + d for k in (7, 8, 31, 32, 63) for p in (1 << k, -1 << k) for d in (-1, 0, 1)]
    ),
)
_step = st.one_of(st.integers(1, 12), st.sampled_from([16, 64, 1 << 20, 1 << 32]))


@st.composite
def numbers(draw: st.DrawFn) -> Num:
    low, high = sorted((draw(_bound), draw(_bound)))
    return make(low, high, draw(_step)) if draw(st.integers(0, 3)) else const(low)


@st.composite
def members(draw: st.DrawFn) -> tuple[Num, int]:
    """A number abstraction and one of its numbers."""
    n = draw(numbers())
    low, _, step = n
    return n, low + step * draw(st.integers(0, num.count(n) - 1))


# Making and asking


@pytest.mark.parametrize(
    "made, expected",
    [
        (make(3, 3), (3, 3, 0)),
        (make(3, 3, 7), (3, 3, 0)),
        (make(3, 3, 0), (3, 3, 0)),
        (make(0, 9), (0, 9, 1)),
        (make(0, 9, 4), (0, 8, 4)),
        (make(-3, 9, 4), (-3, 9, 4)),
        (make(0, 3, 4), (0, 0, 0)),
        (const(-7), (-7, -7, 0)),
        (num.of_type(I8), (-128, 127, 1)),
        (num.of_type(U8), (0, 255, 1)),
        (num.of_type(U8), (0, 255, 1)),
        (num.of_type(Int(1, True)), (-1, 0, 1)),
        (num.of_type(Int(1, False)), (0, 1, 1)),
    ],
)
def test_make(made: Num, expected: Num) -> None:
    assert made == expected


@pytest.mark.parametrize("type_", [I8, U8, I16, U16, I32, U32, I64, U64, I128, U128])
def test_all_values_of_a_type(type_: Int) -> None:
    assert num.of_type(type_) == (type_.low, type_.high, 1)


@pytest.mark.parametrize(
    "n, shown", [((5, 5, 0), "5"), ((0, 9, 1), "0..9"), ((-4, 36, 4), "-4..36 step 4")]
)
def test_text(n: Num, shown: str) -> None:
    assert num.text(n) == shown


def test_the_numbers_of_an_interval() -> None:
    for n, values in SETS.items():
        low, high, step = n
        assert values == tuple(
            x for x in range(-5, 6) if low <= x <= high and (x - low) % max(step, 1) == 0
        )
        assert num.count(n) == len(values)
        assert [x for x in range(-9, 9) if num.contains(n, x)] == list(values)


# Order


def test_order_join_and_meet_are_those_of_sets() -> None:
    for a, b in PAIRS:
        of_a, of_b = SETS[a], SETS[b]
        assert num.leq(a, b) == set(of_a).issubset(of_b), (a, b)
        assert num.join(a, b) == best(of_a + of_b), (a, b)
        met = num.meet(a, b)
        assert met == best(set(of_a).intersection(of_b)), (a, b)


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ((0, 100, 4), (2, 102, 6), (8, 92, 12)),
        ((0, 100, 6), (1, 100, 9), None),
        ((0, 100, 4), (0, 100, 1), (0, 100, 4)),
        ((1, 1 << 40, 1), (0, 1 << 41, 1 << 20), (1 << 20, 1 << 40, 1 << 20)),
        ((0, 15, 5), (1, 15, 7), (15, 15, 0)),
        ((0, 10, 5), (1, 15, 7), None),
    ],
)
def test_meet_solves_congruences(a: Num, b: Num, expected: Num | None) -> None:
    assert num.meet(a, b) == num.meet(b, a) == expected


@given(members(), members(), numbers())
def test_order_laws(first: tuple[Num, int], second: tuple[Num, int], c: Num) -> None:
    (a, x), (b, y) = first, second
    assert normal(a)
    assert num.leq(a, a)
    assert a == b or not (num.leq(a, b) and num.leq(b, a))
    assert num.contains(a, x)
    assert num.leq(const(x), a)
    joined = num.join(a, b)
    assert normal(joined)
    assert joined == num.join(b, a)
    assert num.leq(a, joined) and num.leq(b, joined)
    assert num.leq(joined, num.join(joined, c))
    met = num.meet(a, b)
    assert met == num.meet(b, a)
    assert (num.meet(a, const(y)) is not None) == num.contains(a, y)
    if met is None:
        assert not num.contains(a, y) and not num.contains(b, x)
    else:
        assert normal(met)
        assert num.leq(met, a) and num.leq(met, b)
        assert num.contains(met, y) == num.contains(a, y)
    assert num.meet(a, joined) == a


def test_parts() -> None:
    for n, values in SETS.items():
        for bound in range(-7, 8):
            assert num.at_least(n, bound) == best(x for x in values if x >= bound)
            assert num.at_most(n, bound) == best(x for x in values if x <= bound)
            rest = num.without(n, bound)
            assert rest == best(x for x in values if x != bound) or len(values) > 3
            assert covers(rest, [x for x in values if x != bound])
            for step in (1, 2, 3):
                inside = [x for x in range(n[0], n[1] + 1) if (x - bound) % step == 0]
                assert num.aligned(n[0], n[1], bound, step) in (best(inside), None)
                assert (num.aligned(n[0], n[1], bound, step) is None) == (not inside)


# Widening


def test_stairs() -> None:
    assert EXTREME == 2**200
    assert list(num.STAIRS) == sorted(num.STAIRS)
    bits = (7, 8, 15, 16, 31, 32, 63, 64, 127, 128)
    rising = {EXTREME} | {2**k - less for k in bits for less in (0, 1)}
    assert set(num.STAIRS) == rising | {-stair for stair in rising}


@pytest.mark.parametrize(
    "old, new, thresholds, expected",
    [
        ((0, 0, 0), (0, 1, 1), (), (0, 127, 1)),
        ((0, 0, 0), (0, 1, 1), (5, 10), (0, 5, 1)),
        ((0, 0, 0), (0, 5, 5), (5, 10), (0, 5, 5)),
        ((0, 5, 1), (0, 6, 1), (5, 10), (0, 10, 1)),
        ((0, 5, 1), (0, 11, 1), (5, 10), (0, 127, 1)),
        ((0, 5, 1), (0, 128, 1), (5, 10), (0, 128, 1)),
        ((0, 5, 1), (0, 129, 1), (5, 10), (0, 255, 1)),
        ((0, 5, 1), (0, 257, 1), (), (0, (1 << 15) - 1, 1)),
        ((0, 5, 1), (0, (1 << 16) + 1, 1), (), (0, (1 << 31) - 1, 1)),
        ((0, 5, 1), (0, (1 << 31) + 1, 1), (), (0, (1 << 32) - 1, 1)),
        ((0, 5, 1), (0, (1 << 32) + 1, 1), (), (0, (1 << 63) - 1, 1)),
        ((0, 5, 1), (0, (1 << 63) + 1, 1), (), (0, (1 << 64) - 1, 1)),
        ((0, 5, 1), (0, (1 << 64) + 1, 1), (), (0, (1 << 127) - 1, 1)),
        ((0, 5, 1), (0, (1 << 127) + 1, 1), (), (0, (1 << 128) - 1, 1)),
        ((0, 5, 1), (0, (1 << 128) + 1, 1), (), (0, EXTREME, 1)),
        ((0, 5, 1), (0, EXTREME + 9, 1), (), (0, EXTREME, 1)),
        ((0, 5, 1), (0, EXTREME + 9, 1), (7,), (0, EXTREME, 1)),
        ((0, EXTREME + 5, 1), (0, EXTREME + 9, 1), (), (0, EXTREME + 5, 1)),
        ((0, 5, 1), (-1, 5, 1), (), (-127, 5, 1)),
        ((0, 5, 1), (-1, 5, 1), (-20, -10, 3), (-10, 5, 1)),
        ((0, 5, 1), (-10, 5, 1), (-20, -10, 3), (-10, 5, 1)),
        ((0, 5, 1), (-11, 5, 1), (-20, -10, 3), (-20, 5, 1)),
        ((0, 5, 1), (-21, 5, 1), (-20, -10, 3), (-127, 5, 1)),
        ((0, 5, 1), (-128, 5, 1), (), (-128, 5, 1)),
        ((0, 5, 1), (-129, 5, 1), (), (-255, 5, 1)),
        ((0, 5, 1), (-(1 << 128) - 1, 5, 1), (), (-EXTREME, 5, 1)),
        ((0, 5, 1), (-EXTREME - 1, 5, 1), (), (-EXTREME, 5, 1)),
        ((-EXTREME - 5, 0, 1), (-EXTREME - 9, 0, 1), (), (-EXTREME - 5, 0, 1)),
        ((0, 0, 0), (0, 4, 4), (), (0, 124, 4)),
        ((0, 0, 0), (-4, 0, 4), (), (-124, 0, 4)),
        ((0, 0, 0), (0, 4, 4), (4, 10), (0, 4, 4)),
        ((0, 4, 4), (0, 8, 4), (4, 10), (0, 8, 4)),
        ((0, 4, 4), (-4, 8, 4), (-7, 4, 10), (-4, 8, 4)),
        ((0, 8, 4), (2, 10, 4), (20,), (0, 20, 2)),
        ((0, 10, 1), (3, 7, 1), (), (0, 10, 1)),
        ((0, 12, 6), (4, 8, 4), (), (0, 12, 2)),
        ((7, 7, 0), (7, 7, 0), (), (7, 7, 0)),
    ],
)  # fmt: skip
def test_widening_goes_to_thresholds_and_stairs(
    old: Num, new: Num, thresholds: tuple[int, ...], expected: Num
) -> None:
    assert num.widen(old, new, thresholds) == expected


@given(numbers(), numbers(), st.lists(_bound, max_size=4))
def test_widening_covers_both(old: Num, new: Num, stops: list[int]) -> None:
    wide = num.widen(old, new, tuple(sorted(stops)))
    assert normal(wide)
    assert num.leq(old, wide) and num.leq(new, wide)
    assert num.widen(wide, num.join(old, new), tuple(sorted(stops))) == wide


@pytest.mark.parametrize("seed", range(20))
def test_widening_chains_end(seed: int) -> None:
    dice = random.Random(seed)
    thresholds = tuple(sorted(dice.randint(-1000, 1000) for _ in range(dice.randint(0, 6))))
    state = const(dice.randint(-10, 10))
    changes = 0
    for turn in range(200):
        size = 1 << min(turn, 140)
        low = dice.randint(-size, size)
        new = make(low, low + dice.randint(0, size), dice.choice((1, 2, 6, 12, 60)) * 60)
        new = num.scale(new, dice.choice((1, 7)))
        after = num.widen(state, num.join(state, new), thresholds)
        assert num.leq(state, after) and num.leq(new, after)
        changes += after != state
        state = after
    assert changes <= 2 * (len(num.STAIRS) // 2 + len(thresholds)) + 12
    assert all(num.widen(state, make(-x, x), thresholds)[:2] == state[:2] for x in range(0, 99, 7))


@pytest.mark.parametrize(
    "wide, tight, expected",
    [
        ((0, 127, 1), (0, 9, 1), (0, 9, 1)),
        ((0, 128, 1), (0, 9, 1), (0, 9, 1)),
        ((0, 126, 1), (0, 9, 1), (0, 126, 1)),
        ((0, 129, 1), (0, 9, 1), (0, 129, 1)),
        ((0, 124, 4), (0, 8, 4), (0, 8, 4)),
        ((0, 120, 4), (0, 8, 4), (0, 120, 4)),
        ((3, 123, 4), (3, 3, 0), (3, 123, 4)),
        ((3, 127, 4), (3, 3, 0), (3, 3, 0)),
        ((-127, 9, 1), (0, 8, 1), (0, 9, 1)),
        ((-128, 127, 1), (-3, 8, 1), (-3, 8, 1)),
        ((-124, 9 * 4, 4), (-8, 8, 4), (-8, 36, 4)),
        ((-120, 9 * 4, 4), (-8, 8, 4), (-120, 36, 4)),
        ((-123, 1, 4), (1, 1, 0), (-123, 1, 4)),
        ((-EXTREME, EXTREME, 1), (1, 1, 0), (1, 1, 0)),
        ((-EXTREME - 5, EXTREME + 5, 1), (1, 3, 1), (1, 3, 1)),
        ((-127, 127, 1), (-8, 8, 4), (-8, 8, 1)),
        ((-127, 127, 1), (0, 300, 1), (-127, 127, 1)),
        ((-127, 127, 1), (-127, 127, 1), (-127, 127, 1)),
        ((-124, 124, 4), (1, 2, 1), (-124, 124, 4)),
    ],
)
def test_narrowing_moves_widened_bounds(wide: Num, tight: Num, expected: Num) -> None:
    assert num.narrow(wide, tight) == expected


@given(numbers(), numbers(), numbers())
def test_narrowing_stays_between(a: Num, b: Num, c: Num) -> None:
    wide = num.widen(a, b, ())
    tight = num.meet(wide, c)
    if tight is not None:
        result = num.narrow(wide, tight)
        assert normal(result)
        assert num.leq(tight, result) and num.leq(result, wide)


# C types


@pytest.mark.parametrize(
    "n, type_, expected",
    [
        ((0, 255, 1), U8, (0, 255, 1)),
        ((-128, 127, 1), I8, (-128, 127, 1)),
        ((256, 260, 2), U8, (0, 4, 2)),
        ((250, 260, 1), U8, (0, 255, 1)),
        ((250, 260, 10), U8, (4, 250, 246)),
        ((252, 260, 4), U8, (0, 252, 4)),
        ((254, 260, 2), U8, (0, 254, 2)),
        ((254, 262, 4), U8, (2, 254, 4)),
        ((-1, 0, 1), U8, (0, 255, 255)),
        ((-1, 1, 1), U8, (0, 255, 1)),
        ((-1, -1, 0), U8, (255, 255, 0)),
        ((-5, -1, 1), U8, (251, 255, 1)),
        ((200, 210, 1), I8, (-56, -46, 1)),
        ((-130, -129, 1), I8, (126, 127, 1)),
        ((0, 5000, 1), I8, (-128, 127, 1)),
        ((0, 6000, 12), I8, (-128, 124, 4)),
        ((1, 6001, 12), I8, (-127, 125, 4)),
        ((7, 6007, 12), U8, (3, 255, 4)),
        ((3, 3 + 1024, 256), U8, (3, 3, 0)),
        ((3, 3 + 5 * 512, 512), I8, (3, 3, 0)),
        ((200, 200 + 5 * 512, 512), I8, (-56, -56, 0)),
        ((0, 1280, 128), U8, (0, 128, 128)),
        ((1 << 40, 1 << 40, 0), I32, (0, 0, 0)),
        ((0, 1 << 31, 1), I32, (-(1 << 31), (1 << 31) - 1, 1)),
    ],
)  # fmt: skip
def test_wrap(n: Num, type_: Int, expected: Num) -> None:
    assert num.wrap(n, type_) == expected
    assert num.cast(n, I128, type_) == expected


def test_wrap_covers_every_number() -> None:
    for type_ in (Int(1, True), Int(1, False), Int(2, True), Int(3, False), Int(4, True)):
        for n in all_within(-11, 11):
            result = num.wrap(n, type_)
            values = [type_.wrap(x) for x in num.values_of(n)]
            assert covers(result, values), (n, type_)
            assert num.leq(result, num.of_type(type_)), (n, type_)
            if len({(x - type_.low) >> type_.bits for x in num.values_of(n)}) == 1:
                assert result == best(values), (n, type_)


@given(members(), st.sampled_from([I8, U8, I16, U16, I32, U32, I64, U64, I128, U128]))
def test_wrap_of_large_numbers(member: tuple[Num, int], type_: Int) -> None:
    n, x = member
    result = num.wrap(n, type_)
    assert normal(result)
    assert num.contains(result, type_.wrap(x))
    assert num.leq(result, num.of_type(type_))


# Arithmetic

EXACT: list[tuple[Callable[[Num, Num], Num], Callable[[int, int], int]]] = [
    (num.add, int.__add__),
    (num.sub, int.__sub__),
    (num.mul, int.__mul__),
]


@pytest.mark.parametrize("abstract, concrete", EXACT)
def test_sums_and_products_are_best(
    abstract: Callable[[Num, Num], Num], concrete: Callable[[int, int], int]
) -> None:
    for a, b in PAIRS:
        assert abstract(a, b) == best(concrete(x, y) for x in SETS[a] for y in SETS[b]), (a, b)


def test_operations_on_one_number_are_best() -> None:
    for n, values in SETS.items():
        assert num.neg(n) == best(-x for x in values)
        assert num.bnot(n) == best(~x for x in values)
        for k in range(-4, 5):
            assert num.scale(n, k) == best(x * k for x in values)


def test_quotients() -> None:
    for a, b in PAIRS:
        values = {truncated(x, y) for x in SETS[a] for y in SETS[b] if y}
        result = num.div(a, b)
        assert covers(result, values), (a, b)
        if result is not None:
            assert result[:2] == (min(values), max(values)), (a, b)


def test_quotients_keep_the_stride() -> None:
    for a in all_within(-9, 9):
        for k in (-4, -3, -2, -1, 1, 2, 3, 4):
            values = [truncated(x, k) for x in num.values_of(a)]
            if a[2] % k == 0 and (a[0] * a[1] >= 0 or a[0] % k == 0):
                assert num.div(a, const(k)) == best(values), (a, k)


def test_remainders() -> None:
    inexact = 0
    for a, b in PAIRS:
        values = {remainder(x, y) for x in SETS[a] for y in SETS[b] if y}
        result = num.rem(a, b)
        assert covers(result, values), (a, b)
        inexact += result != best(values)
        quotients = {truncated(x, y) for x in SETS[a] for y in SETS[b] if y}
        if (len(quotients) == 1 and not b[2]) or quotients == {0}:
            assert result == best(values), (a, b)
    assert inexact <= 5928  # of 19,044: a change that loses precision is to be seen


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ((0, 100, 1), (7, 7, 0), (0, 6, 1)),
        ((0, 100, 1), (-7, -7, 0), (0, 6, 1)),
        ((-100, 100, 1), (7, 7, 0), (-6, 6, 1)),
        ((-100, -1, 1), (7, 7, 0), (-6, 0, 1)),
        ((-3, 100, 1), (7, 7, 0), (-3, 6, 1)),
        ((-100, 3, 1), (7, 7, 0), (-6, 3, 1)),
        ((0, 100, 4), (8, 8, 0), (0, 4, 4)),
        ((2, 102, 4), (8, 8, 0), (2, 6, 4)),
        ((1, 101, 10), (4, 4, 0), (1, 3, 2)),
        ((-99, 101, 10), (4, 4, 0), (-3, 3, 2)),
        ((70, 73, 1), (10, 10, 0), (0, 3, 1)),
        ((70, 73, 1), (20, 30, 5), (0, 29, 1)),
        ((70, 90, 10), (20, 30, 5), (0, 25, 5)),
        ((3, 9, 3), (10, 30, 5), (3, 9, 3)),
        ((0, 9, 1), (0, 4, 1), (0, 3, 1)),
        ((0, 9, 1), (-6, 4, 1), (0, 5, 1)),
        ((0, 9, 1), (0, 0, 0), None),
    ],
)
def test_remainder_table(a: Num, b: Num, expected: Num | None) -> None:
    assert num.rem(a, b) == expected


@given(members(), members())
def test_arithmetic_on_large_numbers(first: tuple[Num, int], second: tuple[Num, int]) -> None:
    (a, x), (b, y) = first, second
    assert covers_one(num.add(a, b), x + y)
    assert covers_one(num.sub(a, b), x - y)
    assert covers_one(num.mul(a, b), x * y)
    assert covers_one(num.scale(a, y), x * y)
    assert covers_one(num.neg(a), -x)
    assert covers_one(num.bnot(a), ~x)
    assert covers_one(num.band(a, b), x & y)
    assert covers_one(num.bor(a, b), x | y)
    assert covers_one(num.bxor(a, b), x ^ y)
    if y:
        assert covers_one(num.div(a, b), truncated(x, y))
        assert covers_one(num.rem(a, b), remainder(x, y))
    least = y % 64
    shift = make(least, 64, 1 + x % 9)
    assert covers_one(num.shl(a, shift), x << least)
    assert covers_one(num.shr(a, shift), x >> least)
    assert covers_one(num.shl(a, shift), x << shift[1])
    assert covers_one(num.shr(a, shift), x >> shift[1])


def covers_one(n: Num | None, value: int) -> bool:
    return n is not None and normal(n) and num.contains(n, value)


# Shifts


def test_shifts() -> None:
    for a in all_within(-9, 9):
        for by in COUNTS:
            pairs = [(x, k) for x in num.values_of(a) for k in num.values_of(by)]
            left, right = {x << k for x, k in pairs}, {x >> k for x, k in pairs}
            assert covers(num.shl(a, by), left), (a, by)
            assert covers(num.shr(a, by), right), (a, by)
            assert num.shl(a, by)[:2] == (min(left), max(left)), (a, by)
            assert num.shr(a, by)[:2] == (min(right), max(right)), (a, by)
            if not by[2]:
                assert num.shl(a, by) == best(left), (a, by)
                assert a[2] % (1 << by[0]) or num.shr(a, by) == best(right), (a, by)


@pytest.mark.parametrize(
    "a, by, left, right",
    [
        ((1, 1, 0), (0, 3, 1), (1, 8, 1), (0, 1, 1)),
        ((4, 4, 0), (1, 3, 1), (8, 32, 8), (0, 2, 1)),
        ((4, 20, 8), (1, 2, 1), (8, 80, 8), (1, 10, 1)),
        ((0, 0, 0), (0, 3, 1), (0, 0, 0), (0, 0, 0)),
        ((-16, 16, 8), (3, 3, 0), (-128, 128, 64), (-2, 2, 1)),
        ((-16, 16, 32), (3, 3, 0), (-128, 128, 256), (-2, 2, 4)),
        ((-16, 16, 8), (4, 4, 0), (-256, 256, 128), (-1, 1, 1)),
    ],
)
def test_shift_table(a: Num, by: Num, left: Num, right: Num) -> None:
    assert num.shl(a, by) == left
    assert num.shr(a, by) == right


# Bits

# With the number of pairs for which the result is not the best one: a change that loses precision
# is to be seen.
BITWISE: list[tuple[Callable[[Num, Num], Num], Callable[[int, int], int], int]] = [
    (num.band, int.__and__, 390),
    (num.bor, int.__or__, 463),
    (num.bxor, int.__xor__, 1151),
]


@pytest.mark.parametrize("abstract, concrete, not_best", BITWISE)
def test_bitwise_operations_cover_every_pair(
    abstract: Callable[[Num, Num], Num], concrete: Callable[[int, int], int], not_best: int
) -> None:
    inexact = 0
    dice = random.Random(1)
    for a, b in (*PAIRS[::3], *((dice.choice(NIBBLES), dice.choice(NIBBLES)) for _ in range(3000))):
        values = {concrete(x, y) for x in num.values_of(a) for y in num.values_of(b)}
        result = abstract(a, b)
        assert covers(result, values), (a, b)
        inexact += result != best(values)
        assert a[2] or b[2] or len(values) == 1
    assert inexact <= not_best


@pytest.mark.parametrize("k", range(5))
def test_masks_are_best(k: int) -> None:
    for a in NIBBLES:
        values = num.values_of(a)
        for mask in ((1 << k) - 1, -1 << k):
            cut = num.band(a, const(mask))
            assert cut == num.band(const(mask), a)
            assert (
                cut[:2] == (min(x & mask for x in values), max(x & mask for x in values))
                or mask > 0
            )
            assert covers(cut, [x & mask for x in values])
            filled = num.bor(a, const(mask))
            assert covers(filled, [x | mask for x in values])
            assert (
                filled[:2] == (min(x | mask for x in values), max(x | mask for x in values))
                or mask < 0
            )


@pytest.mark.parametrize(
    "operation, a, b, expected",
    [
        (num.band, (0, 255, 1), (15, 15, 0), (0, 15, 1)),
        (num.band, (0, 12, 4), (15, 15, 0), (0, 12, 4)),
        (num.band, (18, 22, 4), (15, 15, 0), (2, 6, 4)),
        (num.band, (0, 1000, 4), (15, 15, 0), (0, 12, 4)),
        (num.band, (5, 10, 1), (-4, -4, 0), (4, 8, 4)),
        (num.band, (0, 48, 16), (-4, -4, 0), (0, 48, 16)),
        (num.band, (-7, 1000, 1), (0, 0, 0), (0, 0, 0)),
        (num.band, (-7, 1000, 1), (-1, -1, 0), (-7, 1000, 1)),
        (num.band, (-(1 << 31), (1 << 31) - 1, 1), (-4, -4, 0), (-(1 << 31), (1 << 31) - 4, 4)),
        (num.band, (-(1 << 31), (1 << 31) - 1, 1), (24, 24, 0), (0, 24, 8)),
        (num.band, (0, 200, 1), (0, 50, 1), (0, 50, 1)),
        (num.band, (-200, 200, 1), (0, 50, 1), (0, 50, 1)),
        (num.band, (-200, -100, 1), (0, 50, 1), (0, 50, 1)),
        (num.band, (0, 100, 1), (-50, -10, 1), (0, 100, 1)),
        (num.band, (-9, -5, 1), (-7, -6, 1), (-15, -6, 1)),
        (num.band, (16, 28, 4), (17, 29, 4), (16, 28, 4)),
        (num.bor, (0, 200, 1), (0, 50, 1), (0, 250, 1)),
        (num.bor, (0, 255, 1), (15, 15, 0), (15, 255, 16)),
        (num.bor, (4, 6, 1), (8, 8, 0), (12, 14, 1)),
        (num.bor, (4, 6, 1), (100, 130, 1), (100, 136, 1)),
        (num.bor, (0, 60, 4), (1, 1, 0), (1, 61, 4)),
        (num.bor, (0, 60, 4), (1, 61, 4), (1, 61, 4)),
        (num.bor, (-1, 5, 1), (0, 5, 1), (-1, 7, 1)),
        (num.bxor, (0, 5, 1), (0, 5, 1), (0, 7, 1)),
        (num.bxor, (0, 4, 1), (0, 2, 1), (0, 6, 1)),
        (num.bxor, (16, 17, 1), (0, 2, 1), (16, 19, 1)),
        (num.bxor, (0, 60, 4), (3, 3, 0), (3, 63, 4)),
        (num.bxor, (0, 60, 4), (-1, -1, 0), (-61, -1, 4)),
        (num.bxor, (0, 60, 3), (0, 0, 0), (0, 60, 3)),
        (num.bxor, (5, 5, 0), (-3, -3, 0), (-8, -8, 0)),
        (num.bxor, (-4, -1, 1), (0, 1, 1), (-4, -1, 1)),
        (num.bxor, (-4, -1, 1), (-8, -5, 1), (4, 7, 1)),
        (num.bxor, (-4, 3, 1), (0, 1, 1), (-4, 3, 1)),
    ],
)  # fmt: skip
def test_bitwise_table(operation: Callable[[Num, Num], Num], a: Num, b: Num, expected: Num) -> None:
    assert operation(a, b) == expected
    assert operation(b, a) == expected


# Comparison

COMPARISONS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("eq", int.__eq__),
    ("ne", int.__ne__),
    ("lt", int.__lt__),
    ("le", int.__le__),
]


@pytest.mark.parametrize("op, concrete", COMPARISONS)
def test_comparison_is_exact(op: str, concrete: Callable[[int, int], bool]) -> None:
    for a, b in PAIRS:
        seen = {concrete(x, y) for x in SETS[a] for y in SETS[b]}
        expected = BOTH if len(seen) == 2 else TRUE if True in seen else FALSE
        assert num.compare(op, a, b) == expected, (a, b)


def test_comparison_uses_residues() -> None:
    assert num.compare("eq", (0, 100, 4), (1, 101, 6)) == FALSE
    assert num.compare("ne", (0, 100, 4), (1, 101, 6)) == TRUE
    assert (FALSE, TRUE, BOTH) == (1, 2, 3)


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("op, concrete", COMPARISONS)
def test_refinement_is_best(op: str, concrete: Callable[[int, int], bool], truth: bool) -> None:
    for a, b in PAIRS:
        pairs = [(x, y) for x in SETS[a] for y in SETS[b] if concrete(x, y) is truth]
        refined = num.refine(op, truth, a, b)
        if refined is None or not pairs:
            assert refined is None and not pairs, (a, b)
            continue
        left, right = {x for x, _ in pairs}, {y for _, y in pairs}
        assert refined == (best(left), best(right)), (a, b)


# Backwards


def test_backwards_keeps_what_can_lead_to_the_result() -> None:
    some = all_within(-3, 3)
    for a in some:
        for b in all_within(-2, 2):
            for result in some:
                wanted = set(num.values_of(result))
                pairs = [(x, y) for x in num.values_of(a) for y in num.values_of(b)]
                sums = {x for x, y in pairs if x + y in wanted}
                found = num.back_add(result, a, b)
                assert covers(found, sums) or (found is None and not sums)
                assert found is None or num.leq(found, a)
                assert b[2] or found == best(sums)
                lefts = {x for x, y in pairs if x - y in wanted}
                found = num.back_sub_left(result, a, b)
                assert covers(found, lefts)
                assert found is None or num.leq(found, a)
                assert b[2] or found == best(lefts)
                rights = {x for y, x in pairs if y - x in wanted}
                found = num.back_sub_right(result, a, b)
                assert covers(found, rights)
                assert found is None or num.leq(found, b)
                assert a[2] or found == best(rights)


def test_backwards_through_a_product_is_best() -> None:
    for a in SMALL:
        for k in range(-3, 4):
            for result in all_within(-6, 6)[::3]:
                wanted = num.values_of(result)
                found = num.back_mul_const(result, a, k)
                assert found == best(x for x in SETS[a] if x * k in wanted), (result, a, k)
