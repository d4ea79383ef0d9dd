"""Arithmetic that Python's operators do not give: division, and floats of C.

Operands are values of their types; so are results, except where a caller wraps them.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from random import Random
from typing import Final

_CELL: Final = array("f", (0.0,))


def round32(x: float) -> float:
    """The nearest value of a 32-bit float."""
    _CELL[0] = x
    return _CELL[0]


def int_to_f32(x: int) -> float:
    """Rounded once: going through a double could round twice."""
    extra = abs(x).bit_length() - 40
    if extra > 0:
        low = abs(x) & ((1 << extra) - 1)
        high = abs(x) >> extra | (low != 0)  # a sticky last bit, far below what is kept
        x = (high if x > 0 else -high) << extra
    return round32(float(x))


def float_divide(x: float, y: float) -> float:
    """IEEE division by a zero."""
    if y or x != x or y != y:
        return x / y if y else math.nan
    if not x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def divider(random: Random, bits: int) -> Callable[[int, int], int]:
    """Division that truncates towards zero; any value for a zero divisor."""

    def divide(x: int, y: int) -> int:
        if not y:
            return random.getrandbits(bits)
        quotient = abs(x) // abs(y)
        return quotient if (x < 0) == (y < 0) else -quotient

    return divide


def remainder(random: Random, bits: int) -> Callable[[int, int], int]:
    """The remainder that goes with it, of the sign of x."""

    def rest(x: int, y: int) -> int:
        if not y:
            return random.getrandbits(bits)
        value = abs(x) % abs(y)
        return value if x >= 0 else -value

    return rest


def float_to_int(random: Random, low: int, high: int) -> Callable[[float], int]:
    """Truncation; any value of the type where it has none."""

    def convert(x: float) -> int:
        if x == x and abs(x) != math.inf:
            value = int(x)
            if low <= value <= high:
                return value
        return random.randint(low, high)

    return convert
