"""Bitwise operations on strided intervals of one sign, through the bits that are known.

Operands and results are those of `num.py`, in normal form. Integers are two's complement without
end: above its length, all bits of a number are its sign.
"""

from __future__ import annotations

from typing import TypeAlias

Num: TypeAlias = tuple[int, int, int]


def both(a: Num, b: Num) -> Num:
    """x & y; each operand is of one sign."""
    ones_a, open_a = _known(a)
    ones_b, open_b = _known(b)
    ones = ones_a & ones_b
    unknown = ones ^ ((ones_a | open_a) & (ones_b | open_b))
    low, high = ones, ones + unknown
    if a[1] < 0 and b[1] < 0:
        low = max(low, a[0] + b[0] + 1)  # ~x | ~y <= ~x + ~y
        high = min(high, a[1], b[1])
    else:
        if a[0] >= 0:
            high = min(high, a[1])
        if b[0] >= 0:
            high = min(high, b[1])
    return _between(low, high, ones, unknown)


def different(a: Num, b: Num) -> Num:
    """x ^ y; no number is negative."""
    ones_a, open_a = _known(a)
    ones_b, open_b = _known(b)
    unknown = open_a | open_b
    ones = (ones_a ^ ones_b) & ~unknown
    low = max(ones, a[0] - b[1], b[0] - a[1])  # |x - y| <= x ^ y <= x + y
    high = min(ones + unknown, a[1] + b[1])
    return _between(low, high, ones, unknown)


def _known(n: Num) -> tuple[int, int]:
    """The bits that are one in all numbers of `n`, and the bits that may differ.

    Known are the bits above the first in which the bounds differ, and those below the step's
    lowest bit.
    """
    low, high, step = n
    unknown = ((1 << (low ^ high).bit_length()) - 1) & -(step & -step)
    return low & ~unknown, unknown


def _between(low: int, high: int, ones: int, unknown: int) -> Num:
    """The numbers of `low` to `high`, not none, that have `ones` and some of `unknown` bits."""
    step = unknown & -unknown
    if step:
        low += (ones - low) % step
        high -= (high - ones) % step
    return (low, high, step) if low != high else (low, low, 0)
