"""Laws: equality is symmetric, a state is below itself, and joins are above what they join."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from precis.domains.heap import order
from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Calls, Frame, Relation
from precis.domains.heap.guards import ALWAYS, Bracket
from precis.domains.heap.names import (
    ANYTHING,
    NULL,
    SOME,
    UNSET,
    Kind,
    Value,
    constant,
    name,
    pointer,
    unknown,
)
from precis.domains.heap.state import State
from precis.domains.heap.terms import _is_equal
from precis.domains.values import num
from precis.ir.types import I32, VOID_POINTER
from tests.domains.heap.analysing import checked, lowered
from tests.domains.heap.straight import Straight

SOURCE = """
int g, h;
static int f(int *p, int *q, int x) { int l, *r = &l; *r = x; return p == q || p == r; }
int main(void) { return f(&g, &h, 1); }
"""


def values() -> list[Value]:
    given = [name(Kind.ARGUMENT, number, VOID_POINTER) for number in (0, 1)]
    number = unknown(name(Kind.ARGUMENT, 2, I32))
    return [
        NULL, constant(7), SOME, number, number.moved(1), UNSET, ANYTHING,
        *(pointer(base, offset) for base in given for offset in (0, 4)),
        pointer(name(Kind.GLOBAL, "g")), pointer(name(Kind.GLOBAL, "h"), 4),
        pointer(name(Kind.CODE, "f")), pointer(name(Kind.OBJECT, (("f", -1, 0),))),
        Value(given[0], number.linear, num.const(0)),
    ]  # fmt: skip


@pytest.mark.parametrize("is_root", (False, True))
def test_equality_does_not_depend_on_the_side(is_root: bool) -> None:
    program = lowered(SOURCE)
    procedure = program.procedures["f"]
    frame = Frame(program, procedure, Relation(is_root=is_root))
    state = State(frame, ALWAYS, (None,) * len(procedure.variables))
    for a, b in itertools.combinations(values(), 2):
        assert _is_equal(state, a, b) == _is_equal(state, b, a), (a, b)


def test_what_a_loop_names_covers_only_what_it_may_be_there() -> None:
    """The one set is null where the other one is not."""
    program = lowered(SOURCE)
    procedure = program.procedures["f"]
    frame = Frame(program, procedure, Relation())
    guards = frame.theory.guards
    test = frame.theory.choice(("f", 0, 0, "branch"))
    start = State(frame, ALWAYS, (None,) * len(procedure.variables))
    argument = name(Kind.ARGUMENT, 0, VOID_POINTER)
    moved = order.moved_by_loop(order.loop_key(start, ("v", 0)), num.make(0, 9), argument)

    def state(when_null: Bracket, otherwise: Value) -> State:
        held = {NULL: when_null, otherwise: guards.opposite(when_null)}
        return start.with_variable(0, held)

    big = state(test, moved)
    assert order.leq(state(test, pointer(argument, 4)), big)
    assert not order.leq(state(test, pointer(argument, 12)), big)
    assert not order.leq(state(guards.opposite(test), pointer(argument, 4)), big)


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
def test_a_join_is_above_both(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = 0
    join = Heap.join

    def checked_join(domain: Heap, left: State, right: State) -> Any:
        nonlocal joined
        found = join(domain, left, right)
        assert domain.leq(left, left) and domain.leq(right, right)
        assert domain.leq(left, found) and domain.leq(right, found)
        joined += 1
        return found

    monkeypatch.setattr(Heap, "join", checked_join)
    for seed in range(100, 120):
        assert not checked(lowered(Straight(random.Random(seed)).text(3)), calls).wrong
    assert joined > 5
