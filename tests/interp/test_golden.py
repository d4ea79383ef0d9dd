"""The Python made of whole procedures, read and approved as a diff of tests/golden/interp.

What a procedure means is tested elsewhere; this shows that it is said without detours: loops
as loops, no tests that cannot fail, no wrapping of what cannot overflow.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from precis.interp.steps import Mode
from precis.ir.instr import (
    Alloc,
    Branch,
    Case,
    Copy,
    Free,
    Jump,
    Return,
    ScopeBegin,
    ScopeEnd,
    Switch,
)
from precis.ir.obligation import (
    InitialisedMemory,
    InitialisedVariable,
    NonZero,
    NoOverflow,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.procedure import Procedure
from precis.ir.types import F32, F64, I8, I32, I64, U8, U32, VOID_POINTER, Int, Pointer
from precis.ir.values import (
    Term,
    cast,
    compare,
    const,
    global_,
    null,
    offset,
    real,
    term,
    undef,
)
from tests.interp.building import ALL, Body, execute, out, program

SIZE = Int(64, False)


def four() -> Term:
    return const(SIZE, 4)


def loop_over_an_array() -> Procedure:
    body = Body()
    i, s, x, c = (body.var(t, n) for t, n in ((I32, "i"), (I32, "s"), (I32, "x"), (I8, "c")))
    p = body.var(Pointer(I32), "p")
    body.set(p, out(0, I32))
    body.set(i, const(I32, 0))
    body.set(s, const(I32, 0))
    body.do(Jump, 1)
    body.block()
    body.do(Branch, compare("lt", i, const(I32, 16)), 2, 5)
    body.block()
    place = offset(p, cast(I64, i), 4)
    body.check(ValidRead(place, four()))
    body.check(InitialisedMemory(place, 4))
    body.load(x, place)
    body.do(Branch, compare("lt", x, const(I32, 0)), 3, 4)
    body.block()
    body.check(ValidWrite(place, four()))
    body.store(place, const(I32, 0))
    body.load(c, cast(Pointer(I8), place))
    body.store(cast(Pointer(I8), place), c)
    body.do(Jump, 4)
    body.block()
    total = term("add", I32, (s, x))
    body.check(NoOverflow(total))
    body.set(s, total)
    more = term("add", I32, (i, const(I32, 1)))
    body.set(i, more)
    body.do(Jump, 1)
    body.block()
    body.do(Return, s)
    return body.done()


def arithmetic() -> Procedure:
    body = Body()
    b, x, y, u = (body.var(t, n) for t, n in ((U8, "b"), (I32, "x"), (I32, "y"), (U32, "u")))
    f, g = body.var(F32, "f"), body.var(F64, "g")
    for variable in (b, x, y, u):
        body.choose(variable)
    wide = cast(I32, b)
    body.set(x, term("mul", I32, (wide, const(I32, 3))))
    body.set(x, term("mul", I32, (x, y)))
    body.set(u, term("sub", U32, (u, const(U32, 1))))
    body.set(x, term("div", I32, (x, y)))
    body.set(x, term("rem", I32, (x, const(I32, 10))))
    body.set(u, term("div", U32, (u, cast(U32, b))))
    body.set(u, term("div", U32, (u, const(U32, 3))))
    body.set(x, term("shl", I32, (wide, const(I32, 4))))
    body.set(x, term("shl", I32, (x, y)))
    body.set(x, term("shr", I32, (x, const(I32, 33))))
    body.set(x, term("band", I32, (x, const(I32, 255))))
    body.set(b, cast(U8, x))
    body.set(x, term("neg", I32, (term("bnot", I32, (wide,)),)))
    body.set(f, cast(F32, x))
    body.set(f, term("div", F32, (f, real(F32, 2.0))))
    body.set(g, term("add", F64, (cast(F64, f), cast(F64, u))))
    body.set(x, cast(I32, g))
    body.check(NonZero(term("div", I32, (x, y))))
    body.check(NoOverflow(term("div", I32, (x, y))))
    body.set(x, term("div", I32, (x, y)))
    body.set(x, term("ite", I32, (compare("le", x, y), x, cast(I32, compare("ne", x, y)))))
    return body.done(x)


def memory() -> Procedure:
    body = Body()
    o = body.object(8)
    p, q, n = body.var(VOID_POINTER, "p"), body.var(VOID_POINTER, "q"), body.var(I32, "n")
    body.do(ScopeBegin, 0)
    body.set(n, undef(I32))
    body.do(Alloc, 0, const(SIZE, 16))
    body.do(Branch, compare("eq", p, null(VOID_POINTER)), 1, 2)
    body.block()
    body.do(ScopeEnd, 0)
    body.do(Return, const(I32, 1))
    body.block()
    body.store(offset(cast(Pointer(I32), o), const(I64, 4)), const(I32, 7))
    body.load(n, offset(cast(Pointer(I32), o), const(I64, 4)))
    body.check(InitialisedVariable(2))
    body.store(offset(cast(Pointer(VOID_POINTER), p), const(I64, 8)), p)
    body.load(q, offset(cast(Pointer(VOID_POINTER), p), const(I64, 8)))
    body.do(Copy, p, global_("out", VOID_POINTER), four())
    body.do(Branch, compare("lt", p, q), 3, 3)
    body.block()
    body.check(ValidFree(p))
    body.do(Free, p)
    body.do(ScopeEnd, 0)
    return body.done(n)


def nested_control() -> Procedure:
    """Loops in loops, a switch with few and one with many cases, a way out of both loops."""
    body = Body()
    i, j, k = body.var(I32, "i"), body.var(I32, "j"), body.var(I32, "k")
    one = const(I32, 1)
    for variable in (i, j, k):
        body.set(variable, const(I32, 0))
    body.do(Jump, 1)
    body.block()
    body.do(Branch, compare("lt", i, const(I32, 9)), 2, 9)
    body.block()
    body.set(j, const(I32, 0))
    body.do(Jump, 3)
    body.block()
    body.do(Branch, compare("lt", j, const(I32, 9)), 4, 8)
    body.block()
    body.do(Switch, k, (Case(1, 1, 5), Case(2, 4, 6), Case(77, 77, 9)), 7)
    body.block()
    body.set(k, term("add", I32, (k, one)))
    body.do(Jump, 7)
    body.block()
    body.set(k, const(I32, 5))
    body.do(Jump, 8)
    body.block()
    body.set(j, term("add", I32, (j, one)))
    body.do(Jump, 3)
    body.block()
    body.set(i, term("add", I32, (i, one)))
    body.do(Jump, 1)
    body.block()
    cases = tuple(Case(n, n, 10 + n % 3) for n in range(8))
    body.do(Switch, k, (*cases, Case(100, 9999, 10)), 13)
    for n in range(3):
        body.block()
        body.set(k, const(I32, n))
        body.do(Jump, 13)
    body.block()
    return body.done(k)


PROCEDURES: dict[str, Callable[[], Procedure]] = {
    "loop_over_an_array": loop_over_an_array,
    "arithmetic": arithmetic,
    "memory": memory,
    "nested_control": nested_control,
}


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", PROCEDURES)
def test_generated_code(name: str, mode: Mode, golden: Callable[[str, str], None]) -> None:
    result = execute(program(PROCEDURES[name]()), properties=ALL, mode=mode)
    (compiled,) = result.machine.compiler.compiled.values()
    golden(f"interp/{name}.{mode.value}.txt", compiled.source)
