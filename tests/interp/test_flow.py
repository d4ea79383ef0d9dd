"""Control flow of every shape, against a walk over the basic blocks."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.interp.outcome import Settings
from precis.interp.regions import regions
from precis.interp.run import Ending
from precis.interp.steps import Mode
from precis.ir.instr import Branch, Case, Jump, Return, Switch
from precis.ir.procedure import Procedure
from precis.ir.types import I32
from precis.ir.values import Term, binary, compare, const, term
from tests.interp.building import Body, execute, out, outcome, program

FUEL = 200


def graph(ends: list[tuple[int, ...]], switches: frozenset[int] = frozenset()) -> Procedure:
    """A procedure whose block i mixes i into a sum, uses up fuel, and goes on by the sum.

    A block with no target returns.
    """
    body = Body()
    total, fuel, k = body.var(I32, "total"), body.var(I32, "fuel"), body.var(I32, "k")
    body.set(total, const(I32, 7))
    body.set(fuel, const(I32, FUEL))
    body.do(Jump, 1)
    for index, targets in enumerate(ends):
        body.block()
        mixed = term("add", I32, (term("mul", I32, (total, const(I32, 31))), const(I32, index)))
        body.set(total, mixed)
        body.set(fuel, term("sub", I32, (fuel, const(I32, 1))))
        body.set(k, term("band", I32, (term("shr", I32, (total, const(I32, 4))), const(I32, 63))))
        _end(body, index, targets, k, fuel, switches, len(ends))
    body.block()
    body.store(out(0, I32), total)
    body.do(Return, const(I32, 0))
    return body.done()


def _end(
    body: Body,
    index: int,
    targets: tuple[int, ...],
    k: Term,
    fuel: Term,
    switches: frozenset[int],
    count: int,
) -> None:
    places = [t + 1 for t in targets]
    if not places:
        body.do(Jump, count + 1)
    elif index in switches:
        cases = tuple(Case(i, i, places[i % len(places)]) for i in range(1, 2 * len(places)))
        body.do(
            Switch, k, (*cases, Case(60, 63, places[0]), Case(-5000, -1, places[-1])), places[0]
        )
    elif len(places) == 1:
        body.do(Branch, compare("lt", fuel, const(I32, 0)), count + 1, places[0])
    else:
        middle = compare("lt", k, const(I32, 32))
        stop = compare("le", const(I32, 0), fuel)
        body.do(Branch, term("and", stop.type, (middle, stop)), places[0], places[1])


def walk(ends: list[tuple[int, ...]], switches: frozenset[int]) -> int | None:
    """The sum at the return, or None if there is none."""
    total, fuel, at = 7, FUEL, 0
    for _ in range(20 * FUEL):
        total = I32.wrap(total * 31 + at)
        fuel -= 1
        k = (total >> 4) & 63
        targets = ends[at]
        if not targets:
            return total
        if at in switches:
            if 60 <= k <= 63 and not 1 <= k < 2 * len(targets):
                at = targets[0]
            else:
                at = targets[k % len(targets)] if 1 <= k < 2 * len(targets) else targets[0]
        elif len(targets) == 1:
            if fuel < 0:
                return total
            at = targets[0]
        else:
            at = targets[0] if k < 32 and fuel >= 0 else targets[1]
    return None


def check(ends: list[tuple[int, ...]], switches: frozenset[int] = frozenset()) -> None:
    expected = walk(ends, switches)
    if expected is None:
        return
    whole = program(graph(ends, switches))
    for mode in Mode:
        result = execute(whole, mode=mode)
        assert result.ended.stop is None
        assert result.value("out", I32) == expected, (ends, switches)


SHAPES: dict[str, list[tuple[int, ...]]] = {
    "straight": [(1,), (2,), ()],
    "diamond": [(1, 2), (3,), (3,), ()],
    "loop": [(1,), (2, 3), (1,), ()],
    "self_loop": [(0, 1), ()],
    "nested_loops": [(1,), (2, 5), (3, 4), (2,), (1,), ()],
    "loop_with_if": [(1, 5), (2, 3), (4,), (4,), (0,), ()],
    "break_out_of_two": [(1, 6), (2, 5), (3, 6), (4, 7), (1,), (0,), (), ()],
    "continue_outer": [(1, 5), (2, 0), (3, 4), (1,), (0,), ()],
    "short_circuit": [(2, 1), (2, 3), (4,), (4,), ()],
    "irreducible": [(1, 2), (2, 3), (1, 3), ()],
    "irreducible_in_a_loop": [(1, 5), (2, 3), (3, 4), (2, 4), (0,), ()],
    "goto_fail": [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (), ()],
    "two_exits": [(1, 2), (0, 3), (4,), (4,), ()],
    "entry_is_a_header": [(1, 2), (0,), (0, 3), ()],
    "inner_leaves_to_middle": [(1, 8), (2, 6), (3, 5), (2, 7), (1,), (1, 4), (0,), (6, 0), ()],
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    check(SHAPES[name])


@pytest.mark.parametrize("name", ["loop_with_if", "nested_loops", "break_out_of_two"])
def test_shape_with_switches(name: str) -> None:
    check(SHAPES[name], frozenset(range(0, 8, 2)))
    check(SHAPES[name], frozenset(range(8)))


def random_graph(seed: int) -> tuple[list[tuple[int, ...]], frozenset[int]]:
    dice = random.Random(seed)
    count = dice.randint(2, 14)
    ends: list[tuple[int, ...]] = []
    for _ in range(count - 1):
        targets = dice.choices(range(count), k=dice.choice((1, 1, 2, 2, 2, 4, 7)))
        ends.append(tuple(targets))
    ends.append(())
    # More than two targets are for switches only.
    switches = frozenset(i for i, t in enumerate(ends) if len(t) > 2 or (t and dice.random() < 0.1))
    return ends, switches


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_any_graph(seed: int) -> None:
    check(*random_graph(seed))


def test_deeply_nested_loops() -> None:
    """More loops in each other than Python can nest."""
    depth = 25
    body = Body()
    counters = [body.var(I32, f"i{n}") for n in range(depth)]
    total = body.var(I32, "total")
    body.set(total, const(I32, 0))
    body.set(counters[0], const(I32, 0))
    body.do(Jump, 1)
    # Block 2n+1 tests loop n, block 2n+2 is where it goes on: inward, or to the sum.
    ends = 2 * depth + 1
    for n in range(depth):
        body.block()
        out_of = ends + 1 + n
        limit = 2 if n % 8 == 0 else 1
        body.do(Branch, compare("lt", counters[n], const(I32, limit)), 2 * n + 2, out_of)
        body.block()
        if n + 1 < depth:
            body.set(counters[n + 1], const(I32, 0))
            body.do(Jump, 2 * n + 3)
        else:
            body.set(total, term("add", I32, (total, const(I32, 1))))
            body.set(counters[n], term("add", I32, (counters[n], const(I32, 1))))
            body.do(Jump, 2 * n + 1)
    body.block()
    body.store(out(0, I32), total)
    body.do(Return, const(I32, 0))
    for n in range(depth):
        body.block()
        if n == 0:
            body.do(Jump, ends)
        else:
            outer = counters[n - 1]
            body.set(outer, term("add", I32, (outer, const(I32, 1))))
            body.do(Jump, 2 * n - 1)
    assert execute(program(body.done())).value("out", I32) == 2**4


def test_long_chain_of_branches() -> None:
    count = 3000
    ends = [(i + 1, count) for i in range(count)] + [()]
    whole = program(graph(ends[: count + 1]))
    assert execute(whole).ended.stop is None


@pytest.mark.parametrize("value", [0, 1, 57, 499, 500, -1, 100_000, 160_000, 2**31 - 1])
def test_big_switch(value: int) -> None:
    body = Body()
    x = body.var(I32)
    body.choose(x)
    count = 500
    cases = (*(Case(i, i, i + 1) for i in range(count)), Case(100_000, 150_000, 3))
    body.do(Switch, x, cases, count + 1)
    for i in range(count + 1):
        body.block()
        body.store(out(0, I32), const(I32, i))
        body.do(Return, const(I32, 0))
    result = execute(program(body.done()), values=[value])
    expected = value if 0 <= value < count else 2 if 100_000 <= value <= 150_000 else count
    assert result.value("out", I32) == expected


@pytest.mark.parametrize("value", range(-1, 6))
def test_small_switch_with_a_range(value: int) -> None:
    body = Body()
    x = body.var(I32)
    body.choose(x)
    body.do(Switch, x, (Case(0, 0, 1), Case(2, 3, 2), Case(4, 4, 1)), 3)
    for i in range(3):
        body.block()
        body.do(Return, const(I32, i + 1))
    result = execute(program(body.done()), values=[value])
    assert result.ended.status == {0: 1, 4: 1, 2: 2, 3: 2}.get(value, 3)


def test_switch_without_cases() -> None:
    body = Body()
    body.do(Switch, const(I32, 1), (), 1)
    body.block()
    body.do(Return, const(I32, 9))
    assert execute(program(body.done())).ended.status == 9


def test_steps_are_counted_alike_in_all_modes() -> None:
    for shape in SHAPES.values():
        whole = program(graph(shape))
        counts = {execute(whole, mode=mode).machine.steps for mode in Mode}
        assert len(counts) == 1


def test_endless_loop_runs_out_of_time() -> None:
    body = Body()
    body.do(Jump, 1)
    body.block()
    body.do(Jump, 1)
    whole = program(body.done(0) if body.blocks[-1][1] else body.done())
    result = outcome(whole, settings=Settings(timeout=0.2))
    assert result.ending is Ending.OUT_OF_TIME
    assert result.steps > 1000


def test_endless_loop_in_another_thread_runs_out_of_time() -> None:
    import threading

    body = Body()
    body.do(Jump, 1)
    body.block()
    body.do(Jump, 1)
    found: list[Ending] = []
    whole = program(body.done())
    thread = threading.Thread(
        target=lambda: found.append(outcome(whole, settings=Settings(timeout=0.2)).ending)
    )
    thread.start()
    thread.join(10)
    assert found == [Ending.OUT_OF_TIME]


def test_regions_of_a_plain_loop() -> None:
    whole, home = regions([(1,), (2, 3), (1,), ()])
    kinds = [part if isinstance(part, int) else part.headers for part in whole.parts]
    assert kinds == [0, (1,), 3]
    assert home[2].headers == (1,)


def test_deep_conditions_and_selectors() -> None:
    """Terms deeper than Python's parser allows, at the ends of blocks."""
    body = Body()
    x = body.var(I32)
    body.choose(x)
    deep = x
    for _ in range(400):
        deep = binary("bxor", binary("add", deep, const(I32, 1)), const(I32, 0x55))
    plain = 5
    for _ in range(400):
        plain = I32.wrap((plain + 1) ^ 0x55)
    body.do(Branch, compare("eq", deep, const(I32, plain)), 1, 3)
    body.block()
    body.do(Switch, deep, (Case(plain, plain, 2),), 3)
    body.block()
    body.do(Return, binary("sub", deep, const(I32, plain - 7)))
    body.block()
    body.do(Return, const(I32, 9))
    whole = program(body.done())
    assert outcome(whole, values=[5]).status == 7
    assert outcome(whole, values=[6]).status == 9
