"""Orders of blocks: their laws on any graph, and how they look on a few."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from precis.ir.loops import WeakOrder, edges, predecessors, reverse_postorder, weak_order
from tests.ir.sample import SAMPLE
from tests.laws.strategies import graphs

Graph = tuple[tuple[int, ...], ...]


def reachable(graph: Graph) -> set[int]:
    seen, work = {0}, [0]
    while work:
        fresh = set(graph[work.pop()]) - seen
        seen |= fresh
        work.extend(fresh)
    return seen


def component(order: WeakOrder, head: int) -> tuple[int, ...]:
    at = order.blocks.index(head)
    return order.blocks[at : at + order.span[head]]


@given(graphs())
@settings(max_examples=150)
def test_each_reachable_block_stands_once(graph: Graph) -> None:
    order = weak_order(graph)
    assert sorted(order.blocks) == sorted(reachable(graph))
    assert order.blocks[0] == 0


@given(graphs())
@settings(max_examples=150)
def test_edges_go_forward_or_to_the_head_of_their_component(graph: Graph) -> None:
    order = weak_order(graph)
    place = {block: at for at, block in enumerate(order.blocks)}
    for block in order.blocks:
        for target in graph[block]:
            back = target in order.span and block in component(order, target)
            assert place[block] < place[target] or back


@given(graphs())
@settings(max_examples=150)
def test_without_the_heads_there_is_no_cycle(graph: Graph) -> None:
    order = weak_order(graph)
    rest = {block for block in order.blocks if block not in order.span}
    while rest:
        ends = {block for block in rest if not rest & set(graph[block])}
        assert ends
        rest -= ends


@given(graphs())
@settings(max_examples=150)
def test_components_are_nested_and_strongly_connected(graph: Graph) -> None:
    order = weak_order(graph)
    for head in order.span:
        members = component(order, head)
        assert len(members) == order.span[head] >= 1
        inside = tuple(
            tuple(t for t in targets if t in members) if block in members else ()
            for block, targets in enumerate(graph)
        )
        for block in members:
            assert head in _after(inside, block)
            assert not (block in order.span and set(component(order, block)) - set(members))


def _after(graph: Graph, start: int) -> set[int]:
    """What one or more steps from the start lead to."""
    seen: set[int] = set()
    work = [start]
    while work:
        fresh = set(graph[work.pop()]) - seen
        seen |= fresh
        work.extend(fresh)
    return seen


@given(graphs())
def test_postorder_is_reversed(graph: Graph) -> None:
    order = reverse_postorder(graph)
    assert sorted(order) == sorted(reachable(graph))
    assert order[0] == 0


@given(graphs())
def test_predecessors_are_the_edges_backwards(graph: Graph) -> None:
    backwards = predecessors(graph)
    pairs = {(a, b) for a, targets in enumerate(graph) for b in targets}
    assert pairs == {(a, b) for b, sources in enumerate(backwards) for a in sources}
    assert all(list(sources) == sorted(sources) for sources in backwards)


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (((),), "0"),
        (((0,),), "(0)"),
        (((1, 2), (3,), (3,), ()), "0 1 2 3"),
        (((1,), (2, 3), (1,), ()), "0 (1 2) 3"),
        # Bourdoncle's own example, its blocks numbered from 0.
        (((1,), (2, 7), (3,), (4, 6), (5,), (4, 6), (2, 7), ()), "0 1 (2 3 (4 5) 6) 7"),
        # Two ways into a loop: the one found first is its head.
        (((1, 2), (2,), (1,)), "0 (2 1)"),
    ],
)
def test_order_of(graph: Graph, text: str) -> None:
    assert str(weak_order(graph)) == text


def test_order_of_the_sample() -> None:
    assert str(weak_order(edges(SAMPLE.procedures["main"]))) == "0 (1) 2 3"


@pytest.mark.parametrize("loop", ["none", "one"])
def test_long_procedures_need_no_stack(loop: str) -> None:
    count = 100_000
    last: tuple[int, ...] = (0,) if loop == "one" else ()
    graph = (*((block + 1,) for block in range(count - 1)), last)
    order = weak_order(graph)
    assert order.blocks == tuple(range(count)) == reverse_postorder(graph)
    assert order.span == ({0: count} if loop == "one" else {})


def test_deeply_nested_loops_need_no_stack() -> None:
    count = 600
    down = [(block + 1,) for block in range(count)]
    up = [(2 * count - 1 - at, at + 1) for at in range(count, 2 * count)]
    graph = (*down, *up, ())
    order = weak_order(graph)
    assert order.span == {head: 2 * (count - head) for head in range(count)}
