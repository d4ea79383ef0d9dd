"""What a term is, by definition: the meaning of ir/values.py written down once more.

Values are integers, floats, truth values and pairs (block, offset), where a block is whatever
`Setting` says. A term has no meaning here (`UNCLEAR`) if it reads something indeterminate,
divides by zero, or converts a float that does not fit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from precis.ir.types import Float, Int, Logic, Pointer
from precis.ir.values import Term, subterms

UNCLEAR: Final = object()


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a term is looked at. `variable` gives None for an indeterminate one."""

    variable: Callable[[int], Any]
    block: Callable[[str, int | str], Any]  # of a local, global or function
    address: Callable[[Any], int]  # of a block
    resolve: Callable[[int], tuple[Any, int]]  # an address as a pointer
    word: Int


def meaning(root: Term, setting: Setting) -> Any:
    found: dict[Term, Any] = {}
    for node in subterms(root):
        args = [found[arg] for arg in node.args]
        found[node] = _meaning(node, args, setting)
    return found[root]


def _meaning(node: Term, args: list[Any], setting: Setting) -> Any:
    match node.op:
        case "ite":
            return UNCLEAR if args[0] is UNCLEAR else args[1] if args[0] else args[2]
        case "and" | "or":
            return _connected(node.op, *args)
    if any(arg is UNCLEAR for arg in args):
        return UNCLEAR
    match node.op:
        case "const" | "real":
            return _constant(node, setting)
        case "undef":
            return UNCLEAR
        case "var":
            assert isinstance(node.data, int)
            value = setting.variable(node.data)
            return UNCLEAR if value is None else value
        case "local" | "global" | "function":
            assert isinstance(node.data, int | str)
            block = setting.block(node.op, node.data)
            return UNCLEAR if block is None else (block, 0)
        case "eq" | "ne" | "lt" | "le":
            x, y = (_plain(arg, setting) for arg in args)
            return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y}[node.op]
        case "not":
            return not args[0]
        case "cast":
            return _cast(node, args[0], setting)
        case "offset":
            assert isinstance(node.data, int)
            return (args[0][0], args[0][1] + args[1] * node.data)
        case "diff":
            assert isinstance(node.type, Int)
            return node.type.wrap(_plain(args[0], setting) - _plain(args[1], setting))
        case _:
            return _arithmetic(node, args)


def _connected(op: str, x: Any, y: Any) -> Any:
    decisive = op == "or"
    if x is decisive or y is decisive:
        return decisive
    return UNCLEAR if x is UNCLEAR or y is UNCLEAR else not decisive


def _constant(node: Term, setting: Setting) -> Any:
    if isinstance(node.type, Logic):
        return bool(node.data)
    if isinstance(node.type, Pointer):
        assert isinstance(node.data, int)
        return setting.resolve(node.data)
    return node.data


def _plain(value: Any, setting: Setting) -> Any:
    """A pointer as its address, for comparisons."""
    return setting.address(value[0]) + value[1] if isinstance(value, tuple) else value


def _cast(node: Term, value: Any, setting: Setting) -> Any:
    source, target = node.args[0].type, node.type
    mask = (1 << setting.word.bits) - 1
    if isinstance(target, Logic):
        return _plain(value, setting) != 0
    if isinstance(target, Pointer):
        return value if isinstance(source, Pointer) else setting.resolve(int(value) & mask)
    if isinstance(target, Float):
        return _rounded(float(value), target)
    assert isinstance(target, Int)
    if isinstance(source, Float):
        whole = math.trunc(value) if math.isfinite(value) else target.high + 1
        return whole if target.low <= whole <= target.high else UNCLEAR
    if isinstance(source, Pointer):
        return target.wrap(_plain(value, setting) & mask)
    return target.wrap(int(value))


def _rounded(value: float, type_: Float) -> float:
    if type_.bits != 32 or not math.isfinite(value):
        return value
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _arithmetic(node: Term, args: list[Any]) -> Any:
    type_ = node.type
    if isinstance(type_, Float):
        return UNCLEAR  # no domain follows floats, and facts leave them out
    assert isinstance(type_, Int)
    x = args[0]
    if node.op in ("neg", "bnot"):
        return type_.wrap(-x if node.op == "neg" else ~x)
    y = args[1]
    match node.op:
        case "add":
            return type_.wrap(x + y)
        case "sub":
            return type_.wrap(x - y)
        case "mul":
            return type_.wrap(x * y)
        case "band":
            return type_.wrap(x & y)
        case "bor":
            return type_.wrap(x | y)
        case "bxor":
            return type_.wrap(x ^ y)
        case "shl":
            return type_.wrap(x << (y % type_.bits))
        case "shr":
            return type_.wrap(x >> (y % type_.bits))
        case "div" | "rem" if y:
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            return type_.wrap(quotient if node.op == "div" else x - quotient * y)
        case "div" | "rem":
            return UNCLEAR
        case _:
            raise ValueError(f"no meaning of {node.op}")
