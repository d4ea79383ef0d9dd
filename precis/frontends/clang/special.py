"""Functions that only a compiler can know: they look at expressions, not at values.

Bit counting and arithmetic with overflow are terms of their own making, in wide integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from precis.frontends.clang.body import Body, InMemory
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.types import promoted
from precis.frontends.clang.varargs import va_copy, va_start
from precis.ir.instr import Havoc
from precis.ir.types import I32, VOID_POINTER, Float, Int, Pointer
from precis.ir.values import (
    Op,
    Term,
    and_,
    as_int,
    binary,
    cast,
    compare,
    const,
    ite,
    not_,
    or_,
    real,
    unary,
)

Special: TypeAlias = Callable[[Body, Node, Sequence[Node]], "Term | None"]


def _first(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """__builtin_expect, __builtin_assume_aligned: the first argument, for all that it means."""
    value = body.value(arguments[0])
    for other in arguments[1:]:
        body.effect(other)
    return body.types.convert(value, node.type)


def _nothing(body: Body, _node: Node, arguments: Sequence[Node]) -> None:
    for argument in arguments:
        body.effect(argument)


def _va_start(body: Body, node: Node, arguments: Sequence[Node]) -> None:
    va_start(body, arguments, body.at(node))


def _va_copy(body: Body, node: Node, arguments: Sequence[Node]) -> None:
    va_copy(body, arguments, body.at(node))


def _va_end(_body: Body, _node: Node, _arguments: Sequence[Node]) -> None:
    """Nothing is left to do."""


def _constant_p(body: Body, node: Node, _arguments: Sequence[Node]) -> Term:
    return const(body.types.of(node.type), int(bool(body.unit.evaluate(node))))


def _folded(body: Body, node: Node, _arguments: Sequence[Node]) -> Term:
    """A builtin that clang computes itself."""
    value = body.unit.evaluate(node)
    if value is None:
        raise Unlowered("builtin whose value is not constant")
    kind = body.types.of(node.type)
    return real(kind, float(value)) if isinstance(kind, Float) else const(kind, int(value))


def _unknown_address(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """An address in the machine's stack or code, of which nothing is known."""
    for argument in arguments:
        body.effect(argument)
    index = body.temporary(VOID_POINTER, body.at(node))
    body.builder.step(Havoc(index, "address of a frame or return", body.at(node)))
    return body.builder.var(index)


def _object_size(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """Unknown, which is 0 when a minimum is asked for."""
    kind = body.unit.evaluate(arguments[1])
    return const(body.types.of(node.type), 0 if kind in (2, 3) else -1)


# Bits


def _unsigned(body: Body, argument: Node) -> Term:
    value = body.value(argument)
    kind = promoted(value.type)
    if not isinstance(kind, Int):
        raise Unlowered("bit count of something that is no integer")
    return cast(Int(kind.bits, False), value)


def _ones(value: Term) -> Term:
    """How many bits are set: sums of ever larger groups of bits."""
    assert isinstance(value.type, Int)
    kind = value.type
    width = 1
    while width < kind.bits:
        mask = const(kind, sum(((1 << width) - 1) << at for at in range(0, kind.bits, 2 * width)))
        low = binary("band", value, mask)
        high = binary("band", binary("shr", value, const(I32, width)), mask)
        value = binary("add", low, high)
        width *= 2
    return value


def _kept(body: Body, value: Term, node: Node) -> Term:
    return body.keep(value, body.at(node))


def _popcount(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value = _kept(body, _unsigned(body, arguments[0]), node)
    return cast(I32, _kept(body, _ones(value), node))


def _parity(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    return binary("band", _popcount(body, node, arguments), const(I32, 1))


def _trailing_zeros(body: Body, node: Node, value: Term) -> Term:
    kind = value.type
    below = binary("sub", binary("band", value, unary("neg", value)), const(kind, 1))
    return cast(I32, _kept(body, _ones(_kept(body, below, node)), node))


def _ctz(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value = _kept(body, _unsigned(body, arguments[0]), node)
    return _trailing_zeros(body, node, value)


def _ffs(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value = _kept(body, _unsigned(body, arguments[0]), node)
    index = binary("add", _trailing_zeros(body, node, value), const(I32, 1))
    return ite(compare("eq", value, const(value.type, 0)), const(I32, 0), index)


def _clz(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    return _leading_zeros(body, node, _unsigned(body, arguments[0]))


def _leading_zeros(body: Body, node: Node, value: Term) -> Term:
    """The bits left over once all below the highest are set."""
    value = _kept(body, value, node)
    assert isinstance(value.type, Int)
    bits, shift = value.type.bits, 1
    while shift < bits:
        filled = binary("bor", value, binary("shr", value, const(I32, shift)))
        value = _kept(body, filled, node)
        shift *= 2
    return binary("sub", const(I32, bits), cast(I32, _kept(body, _ones(value), node)))


def _clrsb(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """How many bits below the sign bit equal it."""
    value = _kept(body, body.value(arguments[0]), node)
    assert isinstance(value.type, Int)
    signs = binary("shr", value, const(I32, value.type.bits - 1))
    differing = cast(Int(value.type.bits, False), binary("bxor", value, signs))
    return binary("sub", _leading_zeros(body, node, differing), const(I32, 1))


def _bswap(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    kind = body.types.of(node.type)
    assert isinstance(kind, Int)
    value = _kept(body, cast(kind, body.value(arguments[0])), node)
    swapped = const(kind, 0)
    for at in range(0, kind.bits, 8):
        byte = binary("band", binary("shr", value, const(I32, at)), const(kind, 255))
        swapped = binary("bor", swapped, binary("shl", byte, const(I32, kind.bits - 8 - at)))
    return swapped


# Arithmetic that tells whether it overflowed


def _checked(op: Op) -> Special:
    def compute(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
        at = body.at(node)
        left = body.kept(body.value(arguments[0]), arguments[1:], node)
        right = body.kept(body.value(arguments[1]), arguments[2:], node)
        target = body.value(arguments[2])
        wide = Int(128, not (_is_unsigned(left) and _is_unsigned(right) and op == "mul"))
        exact = _kept(body, binary(op, cast(wide, left), cast(wide, right)), node)
        type_ = arguments[2].type.inner
        result = _kept(body, cast(body.types.of(type_), exact), node)
        body.store(InMemory(target, type_), result, at)
        overflowed = compare("ne", cast(wide, result), exact)
        return cast(body.types.of(node.type), overflowed)

    return compute


def _is_unsigned(value: Term) -> bool:
    return isinstance(value.type, Int) and not value.type.signed


# Floating point


def _float_of(body: Body, node: Node, argument: Node) -> tuple[Term, Float]:
    value = _kept(body, body.value(argument), node)
    if not isinstance(value.type, Float):
        raise Unlowered("classification of something that is no float")
    return value, value.type


def _isnan(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value, _ = _float_of(body, node, arguments[0])
    return as_int(compare("ne", value, value))


def _infinite(value: Term, kind: Float) -> Term:
    up = compare("eq", value, real(kind, math.inf))
    return or_(up, compare("eq", value, real(kind, -math.inf)))


def _isinf(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value, kind = _float_of(body, node, arguments[0])
    return as_int(_infinite(value, kind))


def _isinf_sign(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value, kind = _float_of(body, node, arguments[0])
    negative = ite(compare("lt", value, real(kind, 0.0)), const(I32, -1), const(I32, 1))
    return ite(_infinite(value, kind), negative, const(I32, 0))


def _isfinite(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value, kind = _float_of(body, node, arguments[0])
    return as_int(and_(compare("eq", value, value), not_(_infinite(value, kind))))


_SMALLEST_NORMAL: Final = {32: 2.0**-126, 64: 2.0**-1022, 80: 2.0**-1022}


def _not_small(value: Term, kind: Float) -> Term:
    """Is it as far from zero as the normal numbers are?"""
    least = _SMALLEST_NORMAL[kind.bits]
    above = compare("le", real(kind, least), value)
    return or_(above, compare("le", value, real(kind, -least)))


def _isnormal(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    value, kind = _float_of(body, node, arguments[0])
    return as_int(and_(_not_small(value, kind), not_(_infinite(value, kind))))


def _fpclassify(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """One of the first five arguments: for NaN, infinite, normal, subnormal, zero."""
    *classes, argument = arguments
    nan, infinite, normal, subnormal, zero = (cast(I32, body.value(c)) for c in classes)
    value, kind = _float_of(body, node, argument)
    small = ite(compare("eq", value, real(kind, 0.0)), zero, subnormal)
    finite = ite(_not_small(value, kind), normal, small)
    number = ite(_infinite(value, kind), infinite, finite)
    return ite(compare("ne", value, value), nan, number)


def _signbit(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
    """Of a zero, only division shows the sign."""
    value, kind = _float_of(body, node, arguments[0])
    zero, one = real(kind, 0.0), real(kind, 1.0)
    is_negative_zero = compare("lt", binary("div", one, value), zero)
    return as_int(
        or_(compare("lt", value, zero), and_(compare("eq", value, zero), is_negative_zero))
    )


def _comparison(op: str) -> Special:
    def compute(body: Body, node: Node, arguments: Sequence[Node]) -> Term:
        left, _ = _float_of(body, node, arguments[0])
        right, _ = _float_of(body, node, arguments[1])
        less, more = compare("lt", left, right), compare("lt", right, left)
        is_ordered = and_(compare("eq", left, left), compare("eq", right, right))
        return as_int(
            {
                "isless": less,
                "isgreater": more,
                "islessequal": compare("le", left, right),
                "isgreaterequal": compare("le", right, left),
                "islessgreater": or_(less, more),
                "isunordered": not_(is_ordered),
            }[op]
        )

    return compute


def _same_address(body: Body, _node: Node, arguments: Sequence[Node]) -> Term:
    value = body.value(arguments[0])
    if not isinstance(value.type, Pointer):
        raise Unlowered("address of something that is no pointer")
    return value


_WIDTHS: Final = ("", "l", "ll")
_OPERATIONS: Final[tuple[tuple[str, Op], ...]] = (("add", "add"), ("sub", "sub"), ("mul", "mul"))

SPECIAL: Final[dict[str, Special]] = {
    "__builtin_expect": _first,
    "__builtin_expect_with_probability": _first,
    "__builtin_assume_aligned": _first,
    "__builtin_launder": _same_address,
    "__builtin_prefetch": _nothing,
    "__builtin_assume": _nothing,
    "__builtin_va_start": _va_start,
    "__builtin_va_copy": _va_copy,
    "__builtin_va_end": _va_end,
    "__builtin_constant_p": _constant_p,
    "__builtin_types_compatible_p": _folded,
    "__builtin_classify_type": _folded,
    "__atomic_always_lock_free": _folded,
    "__builtin_return_address": _unknown_address,
    "__builtin_frame_address": _unknown_address,
    "__builtin_extract_return_addr": _first,
    "__builtin_frob_return_addr": _first,
    "__builtin_object_size": _object_size,
    "__builtin_dynamic_object_size": _object_size,
    **{
        f"__builtin_{name}{suffix}": _folded
        for name in ("inf", "huge_val", "nan", "nans")
        for suffix in ("", "f", "l")
    },
    **{f"__builtin_popcount{w}": _popcount for w in _WIDTHS},
    **{f"__builtin_parity{w}": _parity for w in _WIDTHS},
    **{f"__builtin_ctz{w}": _ctz for w in _WIDTHS},
    **{f"__builtin_clz{w}": _clz for w in _WIDTHS},
    **{f"__builtin_ffs{w}": _ffs for w in _WIDTHS},
    **{f"__builtin_clrsb{w}": _clrsb for w in _WIDTHS},
    **{f"__builtin_bswap{bits}": _bswap for bits in (16, 32, 64)},
    **{f"__builtin_isnan{s}": _isnan for s in ("", "f", "l")},
    **{f"__builtin_isinf{s}": _isinf for s in ("", "f", "l")},
    "__builtin_isinf_sign": _isinf_sign,
    **{f"__builtin_isfinite{s}": _isfinite for s in ("", "f", "l")},
    **{f"__builtin_finite{s}": _isfinite for s in ("", "f", "l")},
    "__builtin_isnormal": _isnormal,
    "__builtin_fpclassify": _fpclassify,
    **{f"__builtin_signbit{s}": _signbit for s in ("", "f", "l")},
    **{
        f"__builtin_{op}": _comparison(op)
        for op in ("isless", "isgreater", "islessequal", "isgreaterequal", "islessgreater")
    },
    "__builtin_isunordered": _comparison("isunordered"),
    "__builtin_add_overflow": _checked("add"),
    "__builtin_sub_overflow": _checked("sub"),
    "__builtin_mul_overflow": _checked("mul"),
    **{
        f"__builtin_{sign}{name}{width}_overflow": _checked(op)
        for sign in ("s", "u")
        for name, op in _OPERATIONS
        for width in _WIDTHS
    },
}
