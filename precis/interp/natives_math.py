"""The functions of <math.h> that no model computes; Python's are those of the C library.

Where C gives infinity or NaN, Python raises; the tables say which of them is meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final


def _total(function: Callable[..., float]) -> Callable[..., float]:
    """A NaN argument, or one outside the domain, gives NaN; overflow gives infinity."""

    def call(*arguments: float) -> float:
        try:
            return function(*arguments)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return call


def _odd(function: Callable[[float], float]) -> Callable[[float], float]:
    """As `_total`, with infinities of the argument's sign."""

    def call(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.copysign(math.inf, x)

    return call


def _log(function: Callable[[float], float], pole: float) -> Callable[[float], float]:
    """Minus infinity at the pole."""

    def call(x: float) -> float:
        if x == pole:
            return -math.inf
        try:
            return function(x)
        except ValueError:
            return math.nan

    return call


def _pow(x: float, y: float) -> float:
    odd = y % 2 == 1 if math.isfinite(y) else False
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and odd else math.inf
    except ValueError:
        if x == 0 and y < 0:
            return math.copysign(math.inf, x) if odd else math.inf
        return math.nan


def _atanh(x: float) -> float:
    if abs(x) == 1:
        return math.copysign(math.inf, x)
    return _total(math.atanh)(x)


def _gamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    return _total(math.gamma)(x)


def _lgamma(x: float) -> float:
    if x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.inf
    return _total(math.lgamma)(x)


def _fma(x: float, y: float, z: float) -> float:
    """Rounded once, in exact arithmetic."""
    if not all(map(math.isfinite, (x, y, z))):
        return x * y + z
    (a, b), (c, d), (e, f) = (v.as_integer_ratio() for v in (x, y, z))
    top, bottom = a * c * f + e * b * d, b * d * f
    if not top:
        return x * y + z
    try:
        return top / bottom
    except OverflowError:
        return math.inf if top > 0 else -math.inf


def _remainder(x: float, y: float) -> float:
    return _total(math.remainder)(x, y)


MATH: Final[dict[str, Callable[..., Any]]] = {
    **{
        name: _total(getattr(math, name))
        for name in ("acos", "acosh", "asin", "cos", "sin", "tan", "cosh", "exp", "sqrt")
    },
    **{name: getattr(math, name) for name in ("atan", "tanh", "asinh", "erf", "erfc", "atan2")},
    "sinh": _odd(math.sinh),
    "expm1": _total(math.expm1),
    "exp2": _total(math.exp2),
    "cbrt": math.cbrt,
    "hypot": _total(math.hypot),
    "log": _log(math.log, 0.0),
    "log2": _log(math.log2, 0.0),
    "log10": _log(math.log10, 0.0),
    "log1p": _log(math.log1p, -1.0),
    "pow": _pow,
    "atanh": _atanh,
    "tgamma": _gamma,
    "lgamma": _lgamma,
    "fma": _fma,
    "remainder": _remainder,
}
