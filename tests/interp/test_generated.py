"""The generated Python: what is left out of it, and what it never holds."""

from __future__ import annotations

import pytest

from precis.interp.outcome import Ending
from precis.interp.terms import Terms
from precis.ir.instr import Branch, Call, Copy, Fill, Free, Load, Return, Store
from precis.ir.obligation import (
    InitialisedMemory,
    NoOverflow,
    Obligation,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.types import (
    I8,
    I32,
    I64,
    LOGIC,
    U8,
    U32,
    VOID_POINTER,
    BitRange,
    Function,
    Int,
    Pointer,
)
from precis.ir.values import Term, cast, compare, const, function, offset, term, var
from tests.interp.building import ALL, Body, execute, out, outcome, program

SIZE = Int(64, False)
BYTE, WORD, TRUTH = var(0, U8), var(1, I32), var(2, LOGIC)


def byte(n: int) -> Term:
    return const(I32, n)


WIDE = term("cast", I32, (BYTE,))
BOUNDS: list[tuple[Term, tuple[int, int]]] = [
    (WIDE, (0, 255)),
    (WORD, (-(2**31), 2**31 - 1)),
    (const(I32, -5), (-5, -5)),
    (term("neg", I32, (WIDE,)), (-255, 0)),
    (term("bnot", I32, (WIDE,)), (-256, -1)),
    (term("add", I32, (WIDE, byte(3))), (3, 258)),
    (term("sub", I32, (WIDE, byte(3))), (-3, 252)),
    (term("sub", I32, (byte(3), WIDE)), (-252, 3)),
    (term("mul", I32, (WIDE, byte(-2))), (-510, 0)),
    (term("div", I32, (WIDE, byte(2))), (0, 255)),
    (term("rem", I32, (WIDE, byte(7))), (0, 255)),
    (term("rem", I32, (WORD, byte(7))), (-(2**31), 2**31 - 1)),
    (term("div", I32, (WIDE, WORD)), (-(2**31), 2**31 - 1)),
    (term("rem", I32, (WIDE, WORD)), (-(2**31), 2**31 - 1)),
    (term("shl", I32, (WIDE, byte(4))), (0, 255 * 16)),
    (term("shl", I32, (WIDE, WORD)), (-(2**31), 2**31 - 1)),
    (term("shl", I64, (term("neg", I64, (cast(I64, BYTE),)), byte(4))), (-255 * 16, 255 * 16)),
    (term("shr", I32, (WIDE, byte(4))), (0, 255)),
    (term("shr", I32, (WORD, byte(4))), (-(2**31), 2**31 - 1)),
    (term("shr", I32, (term("neg", I32, (WIDE,)), byte(4))), (-255, 0)),
    (term("div", I32, (term("neg", I32, (WIDE,)), byte(2))), (-255, 0)),
    (term("band", I32, (WORD, byte(15))), (0, 15)),
    (term("band", I32, (WIDE, byte(1000))), (0, 255)),
    (term("band", I32, (WORD, WORD)), (-(2**31), 2**31 - 1)),
    (term("bor", I32, (WIDE, byte(256))), (0, 511)),
    (term("bxor", I32, (WIDE, byte(3))), (0, 255)),
    (term("bor", I32, (WORD, byte(3))), (-(2**31), 2**31 - 1)),
    (term("ite", I32, (TRUTH, byte(-3), WIDE)), (-3, 255)),
    (term("cast", I8, (WIDE,)), (-128, 127)),
    (term("cast", I32, (TRUTH,)), (0, 1)),
    (term("add", I32, (WORD, byte(1))), (-(2**31), 2**31 - 1)),
]


@pytest.mark.parametrize(("root", "expected"), BOUNDS, ids=lambda x: repr(x)[:60])
def test_bounds(root: Term, expected: tuple[int, int]) -> None:
    compiler = execute(program(Body().done())).machine.compiler
    assert Terms(compiler).bounds(root) == expected


def source(body: Body) -> str:
    result = execute(program(body.done()), properties=ALL)
    (compiled,) = result.machine.compiler.compiled.values()
    return compiled.source


def test_wrapping_is_left_out_where_nothing_can_overflow() -> None:
    body = Body()
    x, y = body.var(U8, "x"), body.var(I32, "y")
    body.choose(x)
    body.check(NoOverflow(term("mul", I32, (cast(I32, x), byte(100)))))
    body.set(y, term("mul", I32, (cast(I32, x), byte(100))))
    text = source(body)
    assert "2147483647" not in text
    body = Body()
    x = body.var(I32, "x")
    body.choose(x)
    body.set(x, term("mul", I32, (x, byte(100))))
    assert "2147483647" in source(body)


def four(n: int = 4) -> Term:
    return const(SIZE, n)


def _load(body: Body) -> tuple[Obligation, ...]:
    x = body.var(I32)
    body.do(Load, x.data, out(0, I32), I32)
    return ValidRead(out(0, I32), four()), InitialisedMemory(out(0, I32), 4)


def _store(body: Body) -> tuple[Obligation, ...]:
    body.store(out(0, I32), byte(1))
    return (ValidWrite(out(0, I32), four()),)


def _bits(body: Body) -> tuple[Obligation, ...]:
    body.do(Store, out(0, U32), const(U32, 1), bits=BitRange(3, 10))
    return (ValidWrite(out(0, U32), four(2)),)


def _load_bits(body: Body) -> tuple[Obligation, ...]:
    body.var(U32)
    body.do(Load, 0, out(0, U32), U32, bits=BitRange(3, 10))
    bits = BitRange(3, 10)
    return ValidRead(out(0, U32), four(2)), InitialisedMemory(out(0, U32), 2, bits)


def _copy(body: Body) -> tuple[Obligation, ...]:
    body.do(Copy, out(0), out(8), four())
    return ValidRead(out(8), four()), ValidWrite(out(0), four())


def _fill(body: Body) -> tuple[Obligation, ...]:
    body.do(Fill, out(0), byte(0), four())
    return (ValidWrite(out(0), four()),)


def _free(body: Body) -> tuple[Obligation, ...]:
    p = body.var(VOID_POINTER)
    body.blocks[0][0].clear()
    body.set(p, cast(VOID_POINTER, const(I64, 0)))
    body.do(Free, p)
    return (ValidFree(p),)


def _call(body: Body) -> tuple[Obligation, ...]:
    callee = function("main", Pointer(Function(I32, ())))
    body.do(Branch, compare("eq", byte(0), byte(0)), 1, 2)
    body.block()
    body.do(Return, byte(0))
    body.block()
    body.do(Call, None, callee, ())
    return (ValidCall(callee),)


MAKERS = [_load, _store, _bits, _load_bits, _copy, _fill, _free, _call]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_checks_that_the_step_makes_itself_are_left_out(make) -> None:  # type: ignore[no-untyped-def]
    body = Body()
    obligations = make(body)
    steps = body.blocks[-1][0]
    last = steps.pop()
    for obligation in obligations:
        body.check(obligation)
    steps.append(last)
    assert "CHECK" not in source(body)


@pytest.mark.parametrize("make", [_load, _store, _bits, _load_bits, _copy, _fill],
                         ids=lambda make: make.__name__)  # fmt: skip
def test_checks_of_something_else_are_written(make) -> None:  # type: ignore[no-untyped-def]
    """Of another place, or of more bytes than the step accesses: they find what it would not."""
    obligations = make(Body())
    for index, obligation in enumerate(obligations):
        for other in _others(obligation):
            body = Body()
            make(body)
            last = body.blocks[-1][0].pop()
            for i, original in enumerate(obligations):
                body.check(other if i == index else original)
            body.blocks[-1][0].append(last)
            result = outcome(program(body.done()), properties=ALL)
            if isinstance(obligation, InitialisedMemory):
                assert result.ending is Ending.EXIT
            else:
                assert result.violation is not None, other
                assert result.violation.rule == "out-of-bounds"


def _others(obligation: Obligation) -> list[Obligation]:
    match obligation:
        case ValidRead(address=address, size=size):
            return [ValidRead(offset(address, const(I64, 100)), size), ValidRead(address, four(65))]
        case ValidWrite(address=address, size=size):
            return [
                ValidWrite(offset(address, const(I64, 100)), size),
                ValidWrite(address, four(65)),
            ]
        case _:
            return [obligation]


def test_no_text_of_the_program_is_in_the_code() -> None:
    hostile = "x = 1\nimport os #'\"\\"
    body = Body(file=hostile)
    x = body.var(I32, hostile)
    o = body.object(4, name=hostile)
    assert o is not None
    body.choose(x, hostile)
    body.store(out(0, I32), x)
    text = source(body)
    assert "import" not in text and hostile not in text


def test_procedures_are_compiled_when_called() -> None:
    inner = Body("inner").done()
    result = execute(program(Body().done(), inner))
    assert len(result.machine.compiler.compiled) == 1
    body = Body()
    body.call(None, "inner")
    body.call(None, "inner")
    result = execute(program(body.done(), inner))
    assert len(result.machine.compiler.compiled) == 2


def test_pointer_truth() -> None:
    for value, expected in ((0, 0), (5, 1)):
        body = Body()
        p = body.var(VOID_POINTER)
        body.set(p, term("cast", VOID_POINTER, (const(I64, value),)))
        body.store(out(0, I32), cast(I32, term("cast", LOGIC, (p,))))
        assert execute(program(body.done())).value("out", I32) == expected
