"""Each kind of step and each obligation, alone."""

from __future__ import annotations

import pytest

from precis.interp.memory import State
from precis.interp.outcome import Ending
from precis.interp.steps import Mode
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    AtomicBegin,
    BlockKind,
    Call,
    Content,
    Copy,
    Fill,
    Free,
    Halt,
    Havoc,
    Join,
    Load,
    Measure,
    Return,
    ScopeBegin,
    ScopeEnd,
    Store,
    Unreachable,
    Unsupported,
)
from precis.ir.location import Location
from precis.ir.obligation import (
    AllFreed,
    InitialisedMemory,
    InitialisedVariable,
    NeverReached,
    NonZero,
    NoOverflow,
    Obligation,
    ShiftInRange,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.program import Global, Piece
from precis.ir.types import (
    F32,
    F64,
    F80,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    VOID_POINTER,
    Array,
    BitRange,
    DataModel,
    Function,
    Int,
    Pointer,
    Type,
)
from precis.ir.values import (
    Term,
    binary,
    cast,
    compare,
    const,
    function,
    global_,
    null,
    offset,
    real,
    term,
    undef,
)
from tests.interp.building import ALL, SAFETY, Body, Parts, execute, out, outcome, program

SIZE = Int(64, False)
MODES = pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)


def size(n: int) -> Term:
    return const(SIZE, n)


def rule(body: Body, *others: object, properties: frozenset[str] = ALL, parts: Parts | None = None,
         values: tuple[int, ...] | None = None) -> tuple[str, int] | str:  # fmt: skip
    """The rule and line of the violation, or how else the run ends."""
    whole = program(body.done(), *others, parts=parts)  # type: ignore[arg-type]
    result = outcome(whole, properties=properties, values=values)
    if result.violation is None:
        return result.ending.value
    assert result.ending is Ending.VIOLATION
    return result.violation.rule, result.violation.at.line


@MODES
def test_assign_and_return(mode: Mode) -> None:
    body = Body()
    x, y = body.var(I32, "x"), body.var(I32, "y")
    body.set(x, const(I32, 20))
    body.set(y, term("add", I32, (x, x)))
    body.set(x, term("add", I32, (x, y)))
    body.set(y, term("add", I32, (x, y)))
    result = execute(program(body.done(y)), mode=mode)
    assert result.ended.status == 100
    assert result.machine.steps == 5


SCALARS: list[tuple[Type, int | float]] = [
    (I8, -3), (U8, 250), (I16, -300), (U16, 65000), (I32, -70000), (U32, 4000000000),
    (I64, -(2**40)), (U64, 2**63 + 5), (I128, -(2**100)), (U128, 2**127 + 1),
    (F32, 0.5), (F64, 0.1), (F80, 2.25),
]  # fmt: skip


@MODES
@pytest.mark.parametrize("content", list(Content), ids=lambda content: content.value)
@pytest.mark.parametrize(("type_", "value"), SCALARS, ids=str)
def test_store_then_load(type_: Type, value: float, content: Content, mode: Mode) -> None:
    """In fresh memory, in memory that holds pointers, at even and odd places; twice."""
    body = Body()
    p, x, n = body.var(VOID_POINTER, "p"), body.var(type_, "x"), body.var(I64, "n")
    constant = real(type_, value) if isinstance(value, float) else const(type_, int(value))  # type: ignore[arg-type]
    body.do(Alloc, 0, size(64), content=content)
    body.store(offset(p, const(I64, 48)), p)
    for place in (0, 16, 3):
        body.set(n, const(I64, place))
        body.store(offset(cast(Pointer(type_), p), n), constant)
        body.load(x, offset(cast(Pointer(type_), p), n))
        body.store(out(16, type_), x)
        body.load(x, offset(cast(Pointer(type_), p), const(I64, place)))
        body.store(out(0, type_), x)
    result = execute(program(body.done()), properties=ALL, mode=mode)
    assert result.ended.stop is None
    assert result.value("out", type_, 0) == value
    assert result.value("out", type_, 16) == value


@pytest.mark.parametrize(("type_", "value"), SCALARS, ids=str)
def test_load_of_plain_global_memory(type_: Type, value: float) -> None:
    body = Body()
    x = body.var(type_)
    constant = real(type_, value) if isinstance(value, float) else const(type_, int(value))  # type: ignore[arg-type]
    body.store(out(0, type_), constant)
    body.store(out(32, type_), constant)
    body.load(x, out(32, type_))
    body.store(out(16, type_), x)
    assert execute(program(body.done())).value("out", type_, 16) == value


@pytest.mark.parametrize("value", [-128, -127, -1, 0, 1, 126, 127])
def test_signed_bytes(value: int) -> None:
    body = Body()
    x = body.var(I8)
    body.store(out(3, I8), const(I8, value))
    body.load(x, out(3, I8))
    body.store(out(8, I32), cast(I32, x))
    assert execute(program(body.done())).value("out", I32, 8) == value


@MODES
def test_pointers_through_memory(mode: Mode) -> None:
    body = Body()
    p, q = body.var(VOID_POINTER, "p"), body.var(VOID_POINTER, "q")
    body.store(out(8, VOID_POINTER), out(24))
    body.store(out(8, VOID_POINTER), out(32))
    body.load(p, out(8, VOID_POINTER))
    body.store(offset(cast(Pointer(I32), p), const(I64, 4)), const(I32, 9))
    body.load(q, out(0, VOID_POINTER))
    body.store(out(40, I32), term("cast", I32, (compare("eq", q, null(VOID_POINTER)),)))
    result = execute(program(body.done()), mode=mode)
    assert result.value("out", I32, 36) == 9
    assert result.value("out", I32, 40) == 1


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("fresh", [True, False])
def test_bit_fields(signed: bool, fresh: bool) -> None:
    """Neighbours keep their bits, and stay indeterminate."""
    type_ = Int(32, signed)
    body = Body()
    place = body.object(8) if fresh else out(0, I32)
    x = body.var(type_)
    if fresh:
        body.do(ScopeBegin, 0)
    wide, narrow = BitRange(6, 11), BitRange(3, 3)
    body.do(Store, place, const(type_, 0b10101010101), bits=wide)
    body.do(Store, place, const(type_, 0b1101), bits=narrow)
    body.do(Load, 0, place, type_, bits=wide)
    body.store(out(32, type_), x)
    body.do(Load, 0, place, type_, bits=narrow)
    body.store(out(36, type_), x)
    result = execute(program(body.done()), properties=ALL)
    wrapped = Int(11, signed).wrap(0b10101010101)
    assert result.value("out", type_, 32) == wrapped
    assert result.value("out", type_, 36) == Int(3, signed).wrap(0b101)


def test_bits_beside_a_field_stay_indeterminate() -> None:
    body = Body()
    o = body.object(4)
    body.var(U32)
    body.do(ScopeBegin, 0)
    body.do(Store, o, const(U32, 5), bits=BitRange(0, 4))
    body.check(InitialisedMemory(o, 1, BitRange(0, 4)))
    body.do(Load, 0, o, U32, bits=BitRange(0, 4))
    body.check(InitialisedMemory(o, 1, BitRange(1, 4)))
    body.do(Load, 0, o, U32, bits=BitRange(1, 4))
    assert rule(body) == ("uninitialised-use", 4)


def test_initialised_bits_apart_from_the_load() -> None:
    body = Body()
    o = body.object(4)
    x = body.var(U32)
    body.do(ScopeBegin, 0)
    body.do(Store, o, const(U32, 5), bits=BitRange(2, 10))
    body.check(InitialisedMemory(o, 4, BitRange(2, 10)))
    body.set(x, const(U32, 0))
    body.check(InitialisedMemory(o, 4, BitRange(2, 11)))
    body.set(x, const(U32, 0))
    assert rule(body) == ("uninitialised-use", 4)
    body = Body()
    o = body.object(4)
    x = body.var(U32)
    body.do(ScopeBegin, 0)
    body.do(Store, o, const(U32, 5), bits=BitRange(2, 10))
    body.check(InitialisedMemory(o, 4, BitRange(1, 2)))
    body.set(x, const(U32, 0))
    assert rule(body) == ("uninitialised-use", 3)


def test_a_whole_byte_of_fields_is_initialised() -> None:
    body = Body()
    o = body.object(1)
    x = body.var(U8)
    body.do(ScopeBegin, 0)
    body.do(Store, o, const(U8, 5), bits=BitRange(0, 4))
    body.do(Store, o, const(U8, 6), bits=BitRange(4, 4))
    body.check(InitialisedMemory(o, 1))
    body.load(x, o)
    body.store(out(0, U8), x)
    assert execute(program(body.done()), properties=ALL).value("out", U8) == 0x65


@MODES
def test_copy_overlapping_both_ways(mode: Mode) -> None:
    body = Body()
    for i in range(8):
        body.store(out(i, U8), const(U8, i + 1))
    body.do(Copy, out(2), out(0), size(6))
    body.do(Copy, out(20), out(0), size(8))
    body.do(Copy, out(20), out(22), size(6))
    result = execute(program(body.done()), mode=mode)
    assert [result.value("out", U8, i) for i in range(8)] == [1, 2, 1, 2, 3, 4, 5, 6]
    assert [result.value("out", U8, 20 + i) for i in range(8)] == [1, 2, 3, 4, 5, 6, 5, 6]


def test_copy_and_fill_of_nothing_demand_nothing() -> None:
    body = Body()
    nothing = null(VOID_POINTER)
    body.check(ValidRead(nothing, size(0)))
    body.check(ValidWrite(nothing, size(0)))
    body.do(Copy, nothing, nothing, size(0))
    body.check(ValidWrite(nothing, size(0)))
    body.do(Fill, nothing, const(I32, 1), size(0))
    assert rule(body) == "exit"


def test_fill() -> None:
    body = Body()
    n = body.var(SIZE)
    body.set(n, size(5))
    body.do(Fill, out(3), const(I32, -2), n)
    result = execute(program(body.done()))
    assert [result.value("out", U8, i) for i in range(9)] == [0] * 3 + [254] * 5 + [0]


@pytest.mark.parametrize("content", list(Content), ids=lambda content: content.value)
def test_alloc_content(content: Content) -> None:
    body = Body()
    p = body.var(Pointer(I32), "p")
    x = body.var(I32)
    body.do(Alloc, 0, size(4), content=content)
    body.check(InitialisedMemory(p, 4))
    body.load(x, p)
    body.do(Free, p)
    assert rule(body) == (("uninitialised-use", 2) if content is Content.INDETERMINATE else "exit")


def test_heap_blocks_live_until_freed_stack_blocks_until_return() -> None:
    for kind in (BlockKind.HEAP, BlockKind.STACK):
        inner = Body("inner", VOID_POINTER)
        p = inner.var(VOID_POINTER)
        inner.do(Alloc, 0, size(4), kind=kind)
        made = inner.done(p)
        body = Body()
        q = body.var(Pointer(I32), "q")
        body.call(q, "inner")
        body.store(q, const(I32, 1))
        expected = "exit" if kind is BlockKind.HEAP else ("use-after-scope", 2)
        assert rule(body, made, properties=SAFETY) == expected


def test_free_ends_the_block_and_null_is_nothing() -> None:
    body = Body()
    p = body.var(VOID_POINTER, "p")
    body.do(Free, null(VOID_POINTER))
    body.do(Alloc, 0, size(4))
    body.do(Free, p)
    body.do(Free, p)
    assert rule(body) == ("double-free", 4)


def test_measure() -> None:
    body = Body()
    p, n = body.var(VOID_POINTER, "p"), body.var(SIZE, "n")
    body.do(Alloc, 0, size(12))
    body.do(Measure, 1, offset(p, const(I64, 5)))
    body.store(out(0, SIZE), n)
    body.do(Measure, 1, offset(p, const(I64, 12)))
    body.store(out(24, SIZE), n)
    body.do(Measure, 1, offset(p, const(I64, -1)))
    body.store(out(32, SIZE), n)
    body.do(Free, p)
    body.do(Measure, 1, p)
    body.store(out(8, SIZE), n)
    body.do(Measure, 1, null(VOID_POINTER))
    body.store(out(16, SIZE), n)
    result = execute(program(body.done()))
    assert [result.value("out", SIZE, at) for at in (0, 8, 16, 24, 32)] == [7, 0, 0, 0, 0]


def test_scopes_make_and_end_blocks() -> None:
    body = Body()
    o = body.object(4)
    p = body.var(VOID_POINTER, "p")
    x = body.var(I32)
    body.do(ScopeEnd, 0)
    body.do(ScopeBegin, 0)
    body.set(p, o)
    body.store(cast(Pointer(I32), o), const(I32, 7))
    body.load(x, cast(Pointer(I32), p))
    body.store(out(0, I32), x)
    body.do(ScopeEnd, 0)
    body.load(x, cast(Pointer(I32), p))
    assert rule(body) == ("use-after-scope", 8)
    assert execute(program(body.done())).value("out", I32) == 7


def test_each_scope_entry_makes_a_new_block() -> None:
    body = Body()
    o = body.object(4)
    x = body.var(I32)
    body.do(ScopeBegin, 0)
    body.store(cast(Pointer(I32), o), const(I32, 7))
    body.do(ScopeEnd, 0)
    body.do(ScopeBegin, 0)
    body.check(InitialisedMemory(cast(Pointer(I32), o), 4))
    body.load(x, cast(Pointer(I32), o))
    assert rule(body) == ("uninitialised-use", 5)


def test_object_of_a_size_known_later() -> None:
    body = Body()
    o = body.object(None, Array(U8, None))
    n = body.var(SIZE)
    body.set(n, size(3))
    body.do(ScopeBegin, 0, size=n)
    body.store(offset(cast(Pointer(U8), o), const(I64, 2)), const(U8, 1))
    body.store(offset(cast(Pointer(U8), o), const(I64, 3)), const(U8, 1))
    assert rule(body) == ("out-of-bounds", 4)


@MODES
def test_calls_pass_arguments_and_results(mode: Mode) -> None:
    inner = Body("inner")
    a, b = inner.parameter(I32, "a"), inner.parameter(F64, "b")
    r = inner.var(I32)
    inner.set(r, term("sub", I32, (a, cast(I32, b))))
    made = inner.done(r)
    body = Body()
    x = body.var(I32)
    body.call(x, "inner", const(I32, 9), real(F64, 2.5))
    body.call(None, "inner", const(I32, 1), real(F64, 2.5))
    result = execute(program(body.done(x), made), mode=mode)
    assert result.ended.status == 7


def recursive(depth: int) -> tuple[Body, object]:
    down = Body("down")
    n, r = down.parameter(I32, "n"), down.var(I32, "r")
    from precis.ir.instr import Branch

    down.do(Branch, compare("le", n, const(I32, 0)), 1, 2)
    down.block()
    down.do(Return, const(I32, 0))
    down.block()
    down.call(r, "down", term("sub", I32, (n, const(I32, 1))))
    down.do(Return, term("add", I32, (r, const(I32, 1))))
    body = Body()
    x = body.var(I32)
    body.call(x, "down", const(I32, depth))
    body.store(out(0, I32), x)
    return body, down.done()


@MODES
def test_deep_recursion(mode: Mode) -> None:
    body, down = recursive(120_000)
    result = execute(program(body.done(), down), mode=mode)  # type: ignore[arg-type]
    assert result.value("out", I32) == 120_000


def test_endless_recursion_runs_out_of_stack() -> None:
    from precis.interp.outcome import Settings

    body, down = recursive(2**31 - 1)
    whole = program(body.done(), down)  # type: ignore[arg-type]
    result = outcome(whole, settings=Settings(memory=20_000_000))
    assert result.ending is Ending.OUT_OF_MEMORY
    assert "stack" in result.reason


def test_calls_through_pointers() -> None:
    inner = Body("inner")
    a = inner.parameter(I32, "a")
    made = inner.done(term("add", I32, (a, const(I32, 1))))
    body = Body()
    f = body.var(Pointer(Function(I32, (I32,))), "f")
    x = body.var(I32)
    body.set(f, function("inner", f.type))  # type: ignore[arg-type]
    body.do(Call, 1, f, (const(I32, 4),))
    result = execute(program(body.done(x), made))
    assert result.ended.status == 5


def test_calls_through_pointers_to_generators() -> None:
    _, down = recursive(1)
    body = Body()
    f = body.var(Pointer(Function(I32, (I32,))), "f")
    x = body.var(I32)
    body.set(f, function("down", f.type))  # type: ignore[arg-type]
    body.do(Call, 1, f, (const(I32, 40),))
    result = execute(program(body.done(x), down))  # type: ignore[arg-type]
    assert result.ended.status == 40


@pytest.mark.parametrize(
    ("make", "arguments", "expected"),
    [
        (lambda f: null(f.type), (1,), "null-dereference"),
        (lambda f: cast(f.type, out()), (1,), "invalid-pointer"),
        (lambda f: offset(function("inner", f.type), const(I64, 1)), (1,), "invalid-pointer"),
        (lambda f: function("inner", f.type), (), "invalid-pointer"),
        (lambda f: function("inner", f.type), (1, 2), "invalid-pointer"),
    ],
)
@pytest.mark.parametrize("fused", [True, False])
def test_bad_calls(make, arguments, expected: str, fused: bool) -> None:  # type: ignore[no-untyped-def]
    inner = Body("inner")
    inner.parameter(I32, "a")
    body = Body()
    f = body.var(Pointer(Function(I32, (I32,))), "f")
    body.set(f, make(f))
    if fused or len(arguments) == 1:
        body.check(ValidCall(f))
    if not fused:
        body.check(NeverReached("assertion")) if len(arguments) != 1 else None
    body.do(Call, None, f, tuple(const(I32, a) for a in arguments))
    found = rule(body, inner.done(), properties=frozenset({"memory-safety"}))
    assert found == (expected, 2)


def test_call_with_an_argument_of_another_kind() -> None:
    inner = Body("inner")
    inner.parameter(I32, "a")
    made = inner.done()
    body = Body()
    body.call(None, "inner", real(F64, 1.0))
    assert rule(body, made) == ("invalid-pointer", 1)
    body = Body()
    f = body.var(Pointer(Function(I32, (I32,))), "f")
    body.set(f, function("inner", f.type))  # type: ignore[arg-type]
    body.do(Call, None, f, (real(F64, 1.0),))
    assert rule(body, made) == ("invalid-pointer", 2)


def test_external_without_a_native_is_unsupported() -> None:
    body = Body()
    body.call(None, "mystery")
    result = outcome(program(body.done(), parts=Parts(externals=["mystery"])))
    assert result.ending is Ending.UNSUPPORTED
    assert "mystery" in result.reason
    assert result.at == Location("t.c", 1)


def test_external_with_a_native() -> None:
    body = Body()
    x = body.var(F64)
    body.call(x, "sqrt", real(F64, 2.25))
    body.store(out(0, F64), x)
    result = execute(program(body.done(), parts=Parts(externals=["sqrt"])))
    assert result.value("out", F64) == 1.5


def test_missing_result_is_any_value() -> None:
    inner = Body("inner")
    inner.do(Return, None)
    body = Body()
    x = body.var(I32)
    body.call(x, "inner")
    body.store(out(0, I32), x)
    result = execute(program(body.done(), inner.done()))
    assert result.ended.stop is None


def test_assume() -> None:
    body = Body()
    x = body.var(I32)
    body.choose(x)
    body.do(Assume, compare("lt", x, const(I32, 5)))
    whole = program(body.done(3))
    assert outcome(whole, values=[4]).status == 3
    failed = outcome(whole, values=[5])
    assert failed.ending is Ending.ASSUME_FAILED
    assert failed.at == Location("t.c", 2)


def test_choose_takes_values_in_order_and_keeps_them() -> None:
    body = Body()
    x, y = body.var(U8, "x"), body.var(I32, "y")
    body.choose(x, "first")
    body.choose(y, "second")
    whole = program(body.done(term("add", I32, (cast(I32, x), y))))
    result = outcome(whole, values=[257, 2])
    assert result.status == 3
    assert [(c.source, c.at.line, c.value) for c in result.chosen] == [
        ("first", 1, 1),
        ("second", 2, 2),
    ]
    short = outcome(whole, values=[1])
    assert short.ending is Ending.NO_VALUE
    assert short.at == Location("t.c", 2)


def test_an_indeterminate_variable_differs_at_each_reading() -> None:
    body = Body()
    other, x = body.var(I32), body.var(I32)
    body.set(other, const(I32, 1))
    body.set(x, undef(I32))
    for at in (0, 4):
        body.store(out(at, I32), binary("div", x, const(I32, 3)))
    whole = program(body.done())
    results = [execute(whole, seed=seed) for seed in range(8)]
    assert any(r.value("out", I32, 0) != r.value("out", I32, 4) for r in results)


def test_havoc_replaces_the_value() -> None:
    body = Body()
    x = body.var(I32)
    body.set(x, const(I32, 77))
    body.do(Havoc, 0, "unknown")
    body.store(out(0, I32), x)
    whole = program(body.done())
    seen = {execute(whole, seed=seed).value("out", I32) for seed in range(6)}
    assert seen != {77}


def test_havoc_gives_values_of_the_type() -> None:
    for type_ in (I8, U16, F64, VOID_POINTER):
        body = Body()
        x = body.var(type_)
        body.do(Havoc, 0, "unknown")
        body.store(out(0, type_), x)
        assert execute(program(body.done())).ended.stop is None


def test_unsupported_steps_end_the_run() -> None:
    body = Body()
    body.do(Unsupported, "inline assembly")
    result = outcome(program(body.done()))
    assert (result.ending, result.reason) == (Ending.UNSUPPORTED, "inline assembly")
    for make in (lambda b: b.do(AtomicBegin), lambda b: b.do(Join, const(I32, 0))):
        body = Body()
        make(body)
        assert outcome(program(body.done())).ending is Ending.UNSUPPORTED


def test_halt_and_unreachable() -> None:
    body = Body()
    body.do(Halt, const(I32, 300))
    assert outcome(program(body.done())).status == 300 & 255
    body = Body()
    body.do(Halt, None)
    assert outcome(program(body.done())).status == 134
    body = Body()
    body.do(Unreachable)
    assert outcome(program(body.done())).ending is Ending.UNDEFINED


def test_undefined_variable_is_any_value_when_unchecked() -> None:
    body = Body()
    x = body.var(I32)
    body.set(x, undef(I32))
    body.store(out(0, I32), x)
    body.store(out(4, I32), x)
    values = set()
    for seed in range(3):
        result = execute(program(body.done()), seed=seed)
        values |= {result.value("out", I32, 0), result.value("out", I32, 4)}
    assert len(values) == 6


def test_undefined_variable_is_a_use_when_checked() -> None:
    body = Body()
    x = body.var(I32)
    body.set(x, undef(I32))
    body.check(InitialisedVariable(0))
    body.store(out(0, I32), x)
    assert rule(body) == ("uninitialised-use", 2)
    body = Body()
    x = body.var(I32)
    body.set(x, const(I32, 1))
    body.check(InitialisedVariable(0))
    body.store(out(0, I32), x)
    assert rule(body) == "exit"


def test_indeterminate_byte_is_copied_and_then_used() -> None:
    body = Body()
    o = body.object(2)
    c = body.var(U8)
    body.do(ScopeBegin, 0)
    body.load(c, cast(Pointer(U8), o))
    body.store(offset(cast(Pointer(U8), o), const(I64, 1)), c)
    body.check(InitialisedVariable(0))
    body.store(out(0, I32), cast(I32, c))
    assert rule(body) == ("uninitialised-use", 4)
    checked = Body()
    o = checked.object(2)
    c = checked.var(U8)
    checked.do(ScopeBegin, 0)
    checked.store(cast(Pointer(U8), o), const(U8, 3))
    checked.load(c, cast(Pointer(U8), o))
    checked.store(offset(cast(Pointer(U8), o), const(I64, 1)), c)
    checked.check(InitialisedVariable(0))
    checked.store(out(0, I32), cast(I32, c))
    assert rule(checked) == "exit"


ARITHMETIC: list[tuple[str, Obligation | None, int, int, str]] = [
    ("add", None, 2**31 - 1, 1, "signed-overflow"),
    ("add", None, 2**31 - 2, 1, ""),
    ("add", None, -(2**31), -1, "signed-overflow"),
    ("sub", None, -(2**31), 1, "signed-overflow"),
    ("sub", None, -(2**31), -1, ""),
    ("mul", None, 2**16, 2**15, "signed-overflow"),
    ("mul", None, 2**16, -(2**15), ""),
    ("div", None, -(2**31), -1, "signed-overflow"),
    ("div", None, -(2**31) + 1, -1, ""),
    ("rem", None, -(2**31), -1, "signed-overflow"),
]


@pytest.mark.parametrize(("op", "_", "x", "y", "expected"), ARITHMETIC)
def test_overflow(op: str, _: object, x: int, y: int, expected: str) -> None:
    body = Body()
    a, b, r = body.var(I32, "a"), body.var(I32, "b"), body.var(I32, "r")
    body.choose(a)
    body.choose(b)
    whole = term(op, I32, (a, b))  # type: ignore[arg-type]
    body.check(NoOverflow(whole))
    body.set(r, whole)
    body.store(out(0, I32), r)
    found = rule(body, values=(x, y))
    assert found == ((expected, 3) if expected else "exit")
    unchecked = execute(program(body.done()), values=(x, y), properties=SAFETY)
    assert unchecked.ended.stop is None


def test_overflow_of_negation() -> None:
    body = Body()
    a = body.var(I32, "a")
    body.choose(a)
    body.check(NoOverflow(term("neg", I32, (a,))))
    body.store(out(0, I32), term("neg", I32, (a,)))
    assert rule(body, values=(-(2**31),)) == ("signed-overflow", 2)
    assert rule(body, values=(2**31 - 1,)) == "exit"


def test_no_overflow_check_where_none_can_happen() -> None:
    body = Body()
    a = body.var(I8, "a")
    body.choose(a)
    total = term("add", I32, (cast(I32, a), const(I32, 1)))
    body.check(NoOverflow(total))
    body.store(out(0, I32), total)
    assert rule(body, values=(127,)) == "exit"


@pytest.mark.parametrize(
    ("type_", "op", "x", "count", "bad"),
    [
        (I32, "shl", 1, 31, True), (I32, "shl", 1, 30, False), (I32, "shl", 1, 32, True),
        (I32, "shl", 1, -1, True), (I32, "shl", -1, 1, True), (I32, "shl", 0, 31, False),
        (I32, "shr", -1, 31, False), (I32, "shr", 1, 32, True), (I32, "shr", 1, -1, True),
        (U32, "shl", 2**32 - 1, 31, False), (U32, "shl", 1, 32, True), (U32, "shr", 1, 31, False),
        (I64, "shl", 1, 62, False), (I64, "shl", 1, 63, True),
    ],
)  # fmt: skip
def test_shift(type_: Int, op: str, x: int, count: int, bad: bool) -> None:
    body = Body()
    a, n = body.var(type_, "a"), body.var(I32, "n")
    body.choose(a)
    body.choose(n)
    whole = term(op, type_, (a, n))  # type: ignore[arg-type]
    body.check(ShiftInRange(whole))
    body.store(out(0, type_), whole)
    assert rule(body, values=(x, count)) == (("bad-shift", 3) if bad else "exit")


def test_division_by_zero() -> None:
    body = Body()
    a = body.var(I32, "a")
    body.choose(a)
    whole = term("div", I32, (const(I32, 8), a))
    body.check(NonZero(whole))
    body.store(out(0, I32), whole)
    assert rule(body, values=(0,)) == ("division-by-zero", 2)
    assert rule(body, values=(2,)) == "exit"


def test_never_reached() -> None:
    for name in ("assertion", "reachable-error"):
        body = Body()
        body.check(NeverReached(name))
        body.store(out(0, I32), const(I32, 1))
        assert rule(body) == (name, 1)
        assert rule(body, properties=frozenset({"memory-safety"})) == "exit"


def test_all_freed() -> None:
    body = Body()
    p = body.var(VOID_POINTER, "p")
    body.do(Alloc, 0, size(4))
    body.store(out(0, VOID_POINTER), p)
    body.check(AllFreed())
    assert rule(body, properties=frozenset({"memory-safety", "cleanup"})) == ("not-freed", 3)
    body = Body()
    p = body.var(VOID_POINTER, "p")
    body.do(Alloc, 0, size(4))
    body.do(Free, p)
    body.check(AllFreed())
    assert rule(body, properties=frozenset({"memory-safety", "cleanup"})) == "exit"


def wrong_places(body: Body) -> dict[str, tuple[Term, str]]:
    """Addresses that four bytes cannot be accessed at, and why."""
    freed, ended = body.var(VOID_POINTER, "freed"), body.var(VOID_POINTER, "ended")
    o = body.object(4)
    body.do(Alloc, 0, size(8))
    body.do(Free, freed)
    body.do(ScopeBegin, 0)
    body.set(ended, o)
    body.do(ScopeEnd, 0)
    return {
        "null": (null(VOID_POINTER), "null-dereference"),
        "null_and_more": (offset(null(VOID_POINTER), const(I64, 99999)), "null-dereference"),
        "freed": (freed, "use-after-free"),
        "ended": (ended, "use-after-scope"),
        "before": (offset(out(), const(I64, -1)), "out-of-bounds"),
        "across_the_end": (offset(out(), const(I64, 61)), "out-of-bounds"),
        "after": (offset(out(), const(I64, 64)), "out-of-bounds"),
        "integer": (cast(VOID_POINTER, const(I64, 12345)), "invalid-pointer"),
        "code": (function("main", VOID_POINTER), "invalid-pointer"),
    }


NAMES = list(wrong_places(Body()))


@pytest.mark.parametrize("how", ["load", "store", "check_read", "check_write", "copy_from",
                                 "copy_to", "fill", "bits", "store_bits"])  # fmt: skip
@pytest.mark.parametrize("name", NAMES)
def test_bad_access(name: str, how: str) -> None:
    body = Body()
    place, expected = wrong_places(body)[name]
    x = body.var(I32)
    four = size(4)
    match how:
        case "load":
            body.check(ValidRead(place, four))
            body.load(x, place)
        case "store":
            body.check(ValidWrite(place, four))
            body.store(place, const(I32, 1))
        case "check_read":
            body.check(ValidRead(place, four))
            body.set(x, const(I32, 0))
        case "check_write":
            body.check(ValidWrite(place, four))
            body.set(x, const(I32, 0))
        case "copy_from":
            body.do(Copy, out(), place, four)
        case "copy_to":
            body.do(Copy, place, out(), four)
        case "fill":
            body.do(Fill, place, const(I32, 0), four)
        case "bits":
            body.do(Load, x.data, place, I32, bits=BitRange(0, 30))
        case "store_bits":
            body.do(Store, place, const(I32, 0), bits=BitRange(0, 30))
    assert rule(body) == (expected, 6)
    unchecked = outcome(program(body.done()), properties=frozenset({"assertions"}))
    assert unchecked.ending is Ending.UNDEFINED


@pytest.mark.parametrize(
    "type_", [I8, U8, I16, I32, I64, I128, F32, F64, F80, VOID_POINTER], ids=str
)
@pytest.mark.parametrize("variable", [True, False])
def test_bounds_of_every_width(type_: Type, variable: bool) -> None:
    """The last place that fits is read and written; one byte more is too far, as is -1."""
    from precis.ir.types import scalar_bytes

    width = scalar_bytes(type_, DataModel.LP64)
    for place, ok in ((64 - width, True), (65 - width, False), (-1, False), (-width, False)):
        for write in (True, False):
            body = Body()
            n, x = body.var(I64, "n"), body.var(type_, "x")
            body.set(n, const(I64, place))
            base = cast(Pointer(type_), global_("out", VOID_POINTER))
            address = offset(base, n if variable else const(I64, place))
            if write:
                value = null(VOID_POINTER) if type_ == VOID_POINTER else cast(type_, const(I32, 1))
                body.store(address, value)
            else:
                body.load(x, address)
            assert rule(body) == ("exit" if ok else ("out-of-bounds", 2)), (place, write)


def test_constants_must_not_be_written() -> None:
    at = Location("t.c", 1)
    text = Global("text", Array(U8, 8), 8, 8, at, (Piece(0, b"abc"),), BlockKind.LITERAL, True)
    parts = Parts(globals=[text])
    target = global_("text", Pointer(U8))
    for make in (
        lambda body: body.store(target, const(U8, 1)),
        lambda body: body.store(cast(Pointer(I32), target), const(I32, 1)),
        lambda body: body.store(cast(Pointer(VOID_POINTER), target), null(VOID_POINTER)),
        lambda body: body.do(Fill, target, const(I32, 0), size(1)),
        lambda body: body.do(Copy, target, out(), size(1)),
        lambda body: body.do(Store, target, const(U8, 0), bits=BitRange(0, 1)),
        lambda body: (body.check(ValidWrite(target, size(1))), body.do(Assign, 0, const(I32, 0))),
    ):
        body = Body()
        body.var(I32)
        make(body)
        assert rule(body, parts=parts) == ("invalid-pointer", 1)
    body = Body()
    c = body.var(U8)
    body.load(c, target)
    body.store(out(0, U8), c)
    assert execute(program(body.done(), parts=parts)).value("out", U8) == ord("a")


@pytest.mark.parametrize("fused", [True, False])
def test_bad_frees(fused: bool) -> None:
    def check(body: Body, pointer: Term) -> None:
        body.check(ValidFree(pointer))
        if not fused:
            x = body.var(I32)
            body.set(x, const(I32, 0))
            body.line -= 1
        body.do(Free, pointer)

    cases = {
        "double-free": lambda body, p: p,
        "invalid-free": lambda body, p: out(),
    }
    for expected, make in cases.items():
        body = Body()
        p = body.var(VOID_POINTER, "p")
        body.do(Alloc, 0, size(4))
        body.do(Free, p)
        check(body, make(body, p))
        assert rule(body) == (expected, 3)
    body = Body()
    p = body.var(VOID_POINTER, "p")
    body.do(Alloc, 0, size(4))
    check(body, offset(p, const(I64, 1)))
    assert rule(body) == ("invalid-free", 2)
    body = Body()
    check(body, cast(VOID_POINTER, const(I64, 4096)))
    assert rule(body) == ("invalid-free", 1)
    body = Body()
    check(body, null(VOID_POINTER))
    assert rule(body) == "exit"


def test_checks_of_frees_and_calls_stand_alone() -> None:
    """A pass may put a check before any step, not only before the one it speaks of."""
    body = Body()
    x, p = body.var(I32), body.var(VOID_POINTER, "p")
    body.do(Alloc, 1, size(4))
    body.check(ValidFree(offset(p, const(I64, 1))))
    body.set(x, const(I32, 1))
    assert rule(body) == ("invalid-free", 2)
    body = Body()
    x = body.var(I32)
    body.check(ValidCall(null(Pointer(Function(I32, ())))))
    body.set(x, const(I32, 1))
    assert rule(body) == ("null-dereference", 1)


def test_checks_are_tested_in_order() -> None:
    """A later check that breaks does not hide an earlier one, and the other way round."""
    body = Body()
    x = body.var(I32)
    body.check(ValidRead(null(VOID_POINTER), size(4)))
    body.check(NeverReached("assertion"))
    body.load(x, null(VOID_POINTER))
    assert rule(body) == ("null-dereference", 1)
    body = Body()
    x = body.var(I32)
    body.check(NeverReached("assertion"))
    body.check(ValidRead(null(VOID_POINTER), size(4)))
    body.load(x, null(VOID_POINTER))
    assert rule(body) == ("assertion", 1)


def test_globals_hold_their_pieces() -> None:
    at = Location("t.c", 1)
    pieces = (
        Piece(0, const(I32, -7)),
        Piece(8, global_("out", VOID_POINTER)),
        Piece(16, b"hey"),
        Piece(24, real(F64, 0.5)),
        Piece(32, const(U32, 5), BitRange(2, 3)),
        Piece(40, function("main", VOID_POINTER)),
        Piece(48, offset(global_("out", VOID_POINTER), const(I64, 5))),
    )
    data = Global("data", Array(U8, 56), 56, 8, at, pieces)
    result = execute(program(Body().done(), parts=Parts(globals=[data])))
    assert result.value("data", I32, 0) == -7
    assert result.value("data", I32, 4) == 0
    home = result.machine.global_named("out")
    assert result.value("data", VOID_POINTER, 8) == (home, 0)
    assert bytes(int(result.value("data", U8, 16 + i)) for i in range(4)) == b"hey\0"  # type: ignore[arg-type]
    assert result.value("data", F64, 24) == 0.5
    assert result.value("data", U8, 32) == 5 << 2
    code = result.value("data", VOID_POINTER, 40)
    assert isinstance(code, tuple) and code[0].procedure == "main"
    assert result.value("data", VOID_POINTER, 48) == (home, 5)


def test_external_global_is_indeterminate() -> None:
    other = Global("other", I32, 4, 4, Location("t.c", 1), external=True)
    body = Body()
    x = body.var(I32)
    address = global_("other", Pointer(I32))
    body.check(InitialisedMemory(address, 4))
    body.load(x, address)
    assert rule(body, parts=Parts(globals=[other])) == ("uninitialised-use", 1)


def test_initialised_memory_apart_from_the_load() -> None:
    body = Body()
    o = body.object(8)
    x = body.var(I32)
    body.do(ScopeBegin, 0)
    body.store(cast(Pointer(I32), o), const(I32, 1))
    body.check(InitialisedMemory(o, 4))
    body.set(x, const(I32, 0))
    body.check(InitialisedMemory(o, 5))
    body.set(x, const(I32, 0))
    assert rule(body) == ("uninitialised-use", 4)


def test_a_check_is_of_the_next_access_only() -> None:
    body = Body()
    o = body.object(4)
    x = body.var(I32)
    place = cast(Pointer(I32), o)
    body.do(ScopeBegin, 0)
    body.store(place, const(I32, 1))
    body.check(InitialisedMemory(place, 4))
    body.load(x, place)
    body.do(ScopeEnd, 0)
    body.do(ScopeBegin, 0)
    body.load(x, place)
    assert rule(body) == "exit"


def test_freed_blocks_remember() -> None:
    body = Body()
    p = body.var(VOID_POINTER, "p")
    body.do(Alloc, 0, size(4))
    body.do(Free, p)
    result = execute(program(body.done()))
    region = result.machine.memory.heap_region
    (block,) = region.by_base.values()
    assert block.state is State.FREED
    assert block.ended == Location("t.c", 2)
    assert block.made == Location("t.c", 1)


def test_assign_term_of_itself() -> None:
    body = Body()
    x, y = body.var(I32, "x"), body.var(I32, "y")
    body.set(x, const(I32, 1))
    whole = term("add", I32, (x, const(I32, 1)))
    body.check(NoOverflow(whole))
    body.set(x, whole)
    body.check(NoOverflow(whole))
    body.set(y, whole)
    assert execute(program(body.done(y)), properties=ALL).ended.status == 3


def test_pointer_variable_changes_between_uses() -> None:
    body = Body()
    p = body.var(Pointer(I32), "p")
    body.set(p, out(0, I32))
    body.store(offset(p, const(I64, 4)), const(I32, 1))
    body.set(p, offset(p, const(I64, 8)))
    body.store(offset(p, const(I64, 4)), const(I32, 2))
    body.do(Assign, 0, out(32, I32))
    body.store(offset(p, const(I64, 4)), const(I32, 3))
    result = execute(program(body.done()))
    assert [result.value("out", I32, at) for at in (4, 12, 36)] == [1, 2, 3]


def test_variable_never_assigned_is_any_value() -> None:
    body = Body()
    x = body.var(I32)
    body.store(out(0, I32), x)
    assert execute(program(body.done())).ended.stop is None


def test_address_of_an_object_changes_with_its_block() -> None:
    seen = set()
    for seed in range(8):
        body = Body()
        o = body.object(8)
        for place in (0, 8):
            body.do(ScopeBegin, 0)
            body.store(out(place, U64), term("cast", U64, (o,)))
            body.do(ScopeEnd, 0)
        result = execute(program(body.done()), seed=seed)
        seen.add(result.value("out", U64, 0) == result.value("out", U64, 8))
    assert seen == {True, False}


@pytest.mark.parametrize("model", list(DataModel), ids=lambda model: model.value)
def test_addresses_are_as_wide_as_pointers(model: DataModel) -> None:
    body = Body()
    p = body.var(VOID_POINTER)
    body.set(p, offset(null(VOID_POINTER), const(I64, -1)))
    body.store(out(0, U128), term("cast", U128, (p,)))
    result = execute(program(body.done(), model=model))
    assert result.value("out", U128) == (1 << 8 * model.pointer_bytes) - 1
