"""Numbers: strided intervals of mathematical integers.

A `Num` is a tuple (low, high, step) and stands for low, low + step, ..., high. It is kept in
normal form, so equal sets are equal tuples: low <= high; step == 0 if and only if low == high;
otherwise step >= 1 and high - low is a multiple of it. The empty set is `None`, in results only.

Everything here is pure and covers every concrete result: arithmetic is exact on the integers, and
`wrap` brings a result back into a C type. The functions are called by the million, so they are
plain functions on tuples that look at single values first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import reduce
from math import gcd
from typing import Final, TypeAlias

from precis.domains.values import num_bits
from precis.ir.types import Int

Num: TypeAlias = tuple[int, int, int]

FALSE: Final = 1  # what `compare` says: some pair makes it false,
TRUE: Final = 2  # some pair makes it true
BOTH: Final = 3

# No value of a program lies beyond: types have at most 128 bits.
EXTREME: Final = 1 << 200

_POWERS: Final = tuple(1 << k for k in (7, 8, 15, 16, 31, 32, 63, 64, 127, 128))
_RISING: Final = (*sorted(p - less for p in _POWERS for less in (0, 1)), EXTREME)
# Where widening stops when no threshold is left: around the bounds of the types.
STAIRS: Final = (*(-stair for stair in reversed(_RISING)), *_RISING)

_RANGES: Final[dict[int, Num]] = {}  # of types, by their bits; those of unsigned ones negated


def make(low: int, high: int, step: int = 1) -> Num:
    """The numbers from `low` in steps, up to at most `high`; low <= high."""
    if low == high:
        return (low, low, 0)
    high -= (high - low) % step
    return (low, high, step) if low != high else (low, low, 0)


def const(v: int) -> Num:
    return (v, v, 0)


def of_type(type: Int) -> Num:
    """All values of a type."""
    key = type.bits if type.signed else -type.bits
    found = _RANGES.get(key)
    if found is None:
        found = _RANGES[key] = make(type.low, type.high)
    return found


def contains(n: Num, v: int) -> bool:
    low, high, step = n
    return low <= v <= high and (step < 2 or (v - low) % step == 0)


def count(n: Num) -> int:
    """How many numbers."""
    low, high, step = n
    return (high - low) // step + 1 if step else 1


def values_of(n: Num) -> range:
    low, high, step = n
    return range(low, high + 1, step or 1)


def text(n: Num) -> str:
    low, high, step = n
    if not step:
        return str(low)
    return f"{low}..{high}" if step == 1 else f"{low}..{high} step {step}"


# Order


def leq(a: Num, b: Num) -> bool:
    """Is every number of `a` one of `b`?"""
    if a == b:
        return True
    low, high, step = b
    if a[0] < low or a[1] > high:
        return False
    return step < 2 or ((a[0] - low) % step == 0 and a[2] % step == 0)


def join(a: Num, b: Num) -> Num:
    """The least number abstraction that covers both."""
    if a == b:
        return a
    first, second = a[0], b[0]
    low = first if first < second else second
    high = a[1] if a[1] > b[1] else b[1]
    return (low, high, gcd(a[2], b[2], first - second))


def meet(a: Num, b: Num) -> Num | None:
    """What both have in common, exactly."""
    if a == b:
        return a
    low_a, high_a, step_a = a
    low_b, high_b, step_b = b
    if not step_a:
        return a if contains(b, low_a) else None
    if not step_b:
        return b if contains(a, low_b) else None
    low = low_a if low_a > low_b else low_b
    high = high_a if high_a < high_b else high_b
    if low > high:
        return None
    if step_a == step_b == 1:
        return (low, high, 1) if low != high else (low, low, 0)
    # The Chinese remainder theorem: one residue modulo the least common multiple, or none.
    common = gcd(step_a, step_b)
    if (low_b - low_a) % common:
        return None
    rest = step_b // common
    times = (low_b - low_a) // common * pow(step_a // common, -1, rest) % rest
    return aligned(low, high, low_a + step_a * times, step_a * rest)


def aligned(low: int, high: int, residue: int, step: int) -> Num | None:
    """The numbers of `low` to `high` that equal `residue` modulo `step`, which is positive."""
    low += (residue - low) % step
    high -= (high - residue) % step
    if low >= high:
        return (low, low, 0) if low == high else None
    return (low, high, step)


def at_least(n: Num, bound: int) -> Num | None:
    """The numbers of `n` from `bound` on."""
    low, high, step = n
    if low >= bound:
        return n
    if high < bound:
        return None
    low = bound + (low - bound) % step
    return (low, high, step) if low != high else (low, low, 0)


def at_most(n: Num, bound: int) -> Num | None:
    """The numbers of `n` up to `bound`."""
    low, high, step = n
    if high <= bound:
        return n
    if low > bound:
        return None
    high = bound - (bound - low) % step
    return (low, high, step) if low != high else (low, low, 0)


# Widening


def widen(old: Num, new: Num, thresholds: tuple[int, ...]) -> Num:
    """Covers both; a bound that moves goes to the next of `thresholds` (ascending), or stair.

    Chains end: a bound moves outwards only, to a threshold or stair (or the last number of the
    stride before it), and the step changes to one of its divisors. A bound stops at EXTREME: what
    lies beyond is not covered, and a bound there means that there is none.
    """
    low, high, step = old
    step = gcd(step, new[2], low - new[0])
    if new[0] < low:
        below = _down(new[0], thresholds)
        if below < low:
            low = below + (low - below) % step
    if new[1] > high:
        above = _up(new[1], thresholds)
        if above > high:
            high = above - (above - high) % step
    return (low, high, step)


def _down(bound: int, thresholds: tuple[int, ...]) -> int:
    """The next threshold or stair at or below `bound`."""
    at = bisect_right(thresholds, bound)
    if at:
        return thresholds[at - 1]
    at = bisect_right(STAIRS, bound)
    return STAIRS[at - 1] if at else -EXTREME


def _up(bound: int, thresholds: tuple[int, ...]) -> int:
    """The next threshold or stair at or above `bound`."""
    at = bisect_left(thresholds, bound)
    if at < len(thresholds):
        return thresholds[at]
    at = bisect_left(STAIRS, bound)
    return STAIRS[at] if at < len(STAIRS) else EXTREME


def narrow(wide: Num, tight: Num) -> Num:
    """`wide`, with those of its bounds that lie at a stair moved to the bounds of `tight`.

    The result lies between the two. If `tight` is not below `wide`, it is `wide`.
    """
    if wide == tight or not leq(tight, wide):
        return wide
    low, high, step = wide
    if low - _down(low, ()) < step:
        low = tight[0]
    if _up(high, ()) - high < step:
        high = tight[1]
    return (low, high, step) if low != high else (low, low, 0)


# C types


def wrap(n: Num, type: Int) -> Num:
    """The numbers of `n` reduced modulo 2**bits into the type."""
    whole = _RANGES.get(type.bits if type.signed else -type.bits) or of_type(type)
    if whole[0] <= n[0] and n[1] <= whole[1]:
        return n
    return _reduced(n, whole[0], type.bits)


def cast(n: Num, source: Int, target: Int) -> Num:
    """The numbers of `n`, of type `source`, converted to `target` (C17 6.3.1.3)."""
    return wrap(n, target)


def _reduced(n: Num, start: int, bits: int) -> Num:
    """The numbers of `n` modulo 2**bits, as numbers of start to start + 2**bits - 1."""
    low, high, step = n
    first, last = (low - start) >> bits, (high - start) >> bits
    if first == last:
        shift = first << bits
        return (low - shift, high - shift, step)
    size = 1 << bits
    if last == first + 1:  # two pieces: what lies before the edge, and the rest
        edge = start + (last << bits)
        second = edge + (low - edge) % step
        shift = first << bits
        before = make(low - shift, second - step - shift, step)
        return join(before, make(second - shift - size, high - shift - size, step))
    step = gcd(step, size)
    low = start + (low - start) % step
    return make(low, low + size - step, step)


# Arithmetic on the integers


def add(a: Num, b: Num) -> Num:
    return (a[0] + b[0], a[1] + b[1], gcd(a[2], b[2]))


def sub(a: Num, b: Num) -> Num:
    return (a[0] - b[1], a[1] - b[0], gcd(a[2], b[2]))


def neg(a: Num) -> Num:
    return (-a[1], -a[0], a[2])


def bnot(a: Num) -> Num:
    return (~a[1], ~a[0], a[2])


def scale(a: Num, k: int) -> Num:
    """The numbers of `a`, each times `k`."""
    low, high, step = a
    return (low * k, high * k, step * k) if k >= 0 else (high * k, low * k, -step * k)


def mul(a: Num, b: Num) -> Num:
    low_a, high_a, step_a = a
    low_b, high_b, step_b = b
    if not step_b:
        return scale(a, low_b)
    if not step_a:
        return scale(b, low_a)
    corners = (low_a * low_b, low_a * high_b, high_a * low_b, high_a * high_b)
    # (l + i*s) * (m + j*t) = l*m + j*(l*t) + i*(m*s) + i*j*(s*t)
    step = gcd(low_a * step_b, low_b * step_a, step_a * step_b)
    return (min(corners), max(corners), step)


def div(a: Num, b: Num) -> Num | None:
    """Quotients truncated towards zero, for the divisors other than 0; None if there is none."""
    low_a, high_a, step_a = a
    low_b, high_b, step_b = b
    if not step_b:
        if not low_b:
            return None
        low, high = _quotient(low_a, low_b), _quotient(high_a, low_b)
        if not step_a:
            return (low, low, 0)
        if low_b < 0:
            low, high = high, low
        # Truncation is even on one side of zero, or if there is nothing to truncate.
        if step_a % low_b == 0 and (low_a >= 0 or high_a <= 0 or low_a % low_b == 0):
            return (low, high, step_a // abs(low_b))
        return make(low, high)
    corners = [_quotient(x, y) for x in (low_a, high_a) for y in _divisors(low_b, high_b, step_b)]
    return make(min(corners), max(corners))


def _quotient(x: int, y: int) -> int:
    down = x // y
    return down + 1 if down < 0 and down * y != x else down


def _divisors(low: int, high: int, step: int) -> list[int]:
    """The ends of the negative and of the positive part of a number that is not single."""
    above = low % step or step  # the least positive number of the stride
    below = above - step or -step
    ends = [low, high, above, below]
    return [end for end in ends if low <= end <= high and end]


def rem(a: Num, b: Num) -> Num | None:
    """Remainders of `div`, with the sign of the dividend; None if there is no divisor."""
    quotient = div(a, b)
    if quotient is None:
        return None
    low_a, high_a, step_a = a
    low_b, high_b, step_b = b
    times, _, uncertain = quotient
    if not uncertain and (not step_b or not times):
        return sub(a, scale(b, times))
    most = max(abs(low_b), abs(high_b)) - 1
    low, high = min(0, max(low_a, -most)), max(0, min(high_a, most))
    return aligned(low, high, low_a, gcd(step_a, low_b, step_b))


def shl(a: Num, count: Num) -> Num:
    """a * 2**count; the counts are not negative."""
    low, high, step = a
    least, most, uncertain = count
    if not uncertain:
        return (low << least, high << least, step << least)
    step = gcd(low, step) << least
    return make(min(low << least, low << most), max(high << least, high << most), step)


def shr(a: Num, count: Num) -> Num:
    """a / 2**count, rounded down; the counts are not negative."""
    low, high, step = a
    least, most, uncertain = count
    if not uncertain and not step & ((1 << least) - 1):
        return (low >> least, high >> least, step >> least)
    return make(min(low >> least, low >> most), max(high >> least, high >> most))


# Bits, in two's complement without end


def band(a: Num, b: Num) -> Num:
    if not a[2]:
        a, b = b, a
    low, high, step = a
    mask, _, uncertain = b
    if not uncertain:
        if not step:
            return const(low & mask)
        if mask >= 0:
            if not mask & (mask + 1):  # x mod 2**k
                return _reduced(a, 0, mask.bit_length())
        elif not -mask & ~mask:  # x - x mod 2**k, which never falls
            return make(low & mask, high & mask, step if step % mask == 0 else -mask)
    return reduce(join, (num_bits.both(p, q) for p in _by_sign(a) for q in _by_sign(b)))


def bor(a: Num, b: Num) -> Num:
    return bnot(band(bnot(a), bnot(b)))


def bxor(a: Num, b: Num) -> Num:
    if not a[2]:
        a, b = b, a
    mask, _, uncertain = b
    if not uncertain:
        low, _, step = a
        if not step:
            return const(low ^ mask)
        if mask in (0, -1):
            return bnot(a) if mask else a
    return reduce(join, (_bxor_by_sign(p, q) for p in _by_sign(a) for q in _by_sign(b)))


def _bxor_by_sign(a: Num, b: Num) -> Num:
    if a[1] < 0:
        return bnot(_bxor_by_sign(bnot(a), b))
    if b[1] < 0:
        return bnot(num_bits.different(a, bnot(b)))
    return num_bits.different(a, b)


def _by_sign(n: Num) -> tuple[Num, ...]:
    """The negative numbers and the others, where there are any."""
    low, high, step = n
    if low >= 0 or high < 0:
        return (n,)
    least = low % step  # of those that are not negative
    return (make(low, least - step, step), make(least, high, step))


# Comparison


def compare(op: str, a: Num, b: Num) -> int:
    """FALSE, TRUE or BOTH: what `op` ("eq", "ne", "lt", "le") can give for a pair of numbers."""
    if op == "lt":
        if a[1] < b[0]:
            return TRUE
        return BOTH if a[0] < b[1] else FALSE
    if op == "le":
        if a[1] <= b[0]:
            return TRUE
        return BOTH if a[0] <= b[1] else FALSE
    if meet(a, b) is None:
        return FALSE if op == "eq" else TRUE
    if a[2] or b[2]:
        return BOTH
    return TRUE if op == "eq" else FALSE


def refine(op: str, truth: bool, a: Num, b: Num) -> tuple[Num, Num] | None:
    """The parts of `a` and `b` that take part in a pair for which `op` gives `truth`."""
    if op == "lt":
        return _refine_less(a, b, 1) if truth else _flipped(_refine_less(b, a, 0))
    if op == "le":
        return _refine_less(a, b, 0) if truth else _flipped(_refine_less(b, a, 1))
    if (op == "eq") == truth:
        same = meet(a, b)
        return None if same is None else (same, same)
    value, _, uncertain = b
    if not uncertain:
        rest = without(a, value)
        return None if rest is None else (rest, b)
    value, _, uncertain = a
    if not uncertain:
        rest = without(b, value)
        return None if rest is None else (a, rest)
    return (a, b)


def _refine_less(a: Num, b: Num, gap: int) -> tuple[Num, Num] | None:
    """The parts of `a` and `b` with a + gap <= b."""
    small = at_most(a, b[1] - gap)
    large = at_least(b, a[0] + gap)
    return None if small is None or large is None else (small, large)


def _flipped(pair: tuple[Num, Num] | None) -> tuple[Num, Num] | None:
    return None if pair is None else (pair[1], pair[0])


def without(n: Num, v: int) -> Num | None:
    """`n` without `v`, if what is left can be said; a superset of it otherwise."""
    low, high, step = n
    if not step:
        return None if v == low else n
    if v == low:
        low += step
    elif v == high:
        high -= step
    elif v - low == step == high - v:
        return (low, high, step + step)
    else:
        return n
    return (low, high, step) if low != high else (low, low, 0)


# Backwards: the part of an operand that can lead to a result


def back_add(result: Num, a: Num, b: Num) -> Num | None:
    """The part of `a` with a + b in `result`."""
    return meet(a, sub(result, b))


def back_sub_left(result: Num, a: Num, b: Num) -> Num | None:
    """The part of `a` with a - b in `result`."""
    return meet(a, add(result, b))


def back_sub_right(result: Num, a: Num, b: Num) -> Num | None:
    """The part of `b` with a - b in `result`."""
    return meet(b, sub(a, result))


def back_mul_const(result: Num, a: Num, k: int) -> Num | None:
    """The part of `a` with a * k in `result`."""
    if not k:
        return a if contains(result, 0) else None
    low, high, _ = result
    multiples = aligned(low, high, 0, abs(k))
    exact = meet(result, multiples) if multiples is not None else None
    if exact is None:
        return None
    low, high, step = exact
    ends = (low // k, high // k)
    return meet(a, (min(ends), max(ends), step // abs(k)))
