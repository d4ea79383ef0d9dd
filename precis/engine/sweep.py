"""The fixpoint with one state at each block, and merge key.

A block is visited when all that comes before it has been: what comes in by several edges waits and
is joined once. The head of a loop is visited again when the whole body has been, so each sweep over
the body joins, and widens, once.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Generator, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from precis.domains.protocol import GiveUp
from precis.engine.activation import Activation, Node, Point, Reply, Request
from precis.engine.procedure import Explorer

Place: TypeAlias = tuple[int, Hashable]  # a block and a merge key


@dataclass(slots=True)
class _Waiting:
    """What came to a place since it was visited: the edges, and which of them are new; the node
    that control came from last."""

    edges: dict[Any, bool] = field(default_factory=dict)
    parent: Node | None = None


class Sweeping(Explorer):
    """An explorer that goes through a procedure in sweeps, if one state is kept at each block."""

    __slots__ = ()

    def _ascend(self, activation: Activation) -> Generator[Request, Reply, None]:
        if not self._limits.single:
            yield from super()._ascend(activation)
            return
        activation.reset()
        activation.forget_states()
        state, activation.log = self._domain.start(activation.procedure, activation.entry)
        activation.tentative = bool(activation.code.heads)
        yield from self._swept(activation, state)
        if activation.tentative or activation.revised:
            yield from self._once_more(activation)

    def _swept(self, activation: Activation, state: Any) -> Generator[Request, Reply, None]:
        queue: list[tuple[tuple[int, int], int, Place]] = []
        waiting: dict[Place, _Waiting] = {}
        count = 0

        def arrive(target: int, after: Any, parent: Node | None) -> None:
            nonlocal count
            place = target, self._domain.merge_key(after)
            if place not in waiting:
                waiting[place] = _Waiting()
                count += 1
                turn = activation.code.turn(None if parent is None else parent.block, target)
                heapq.heappush(queue, (turn, count, place))
            self._wait(activation, place, after, parent, waiting[place])

        arrive(0, state, None)
        while queue:
            _, _, place = heapq.heappop(queue)
            node = self._formed(activation, place, waiting.pop(place))
            if node is None:
                continue
            self._spend(activation)
            following = yield from self._run(activation, node)
            for target, after in self._edges(activation, node, following):
                arrive(target, after, node)

    def _wait(
        self, activation: Activation, place: Place, state: Any, parent: Node | None,
        waiting: _Waiting,
    ) -> None:  # fmt: skip
        block, merge_key = place
        point = activation.points.setdefault(block, Point())
        edges = point.incoming.setdefault(merge_key, {})
        edge = None if parent is None else (parent.block, self._domain.merge_key(parent.state))
        waiting.edges.setdefault(edge, edge not in edges)
        waiting.parent = parent
        edges[edge] = state

    def _formed(self, activation: Activation, place: Place, waiting: _Waiting) -> Node | None:
        """The one state of a place, made anew of what comes in; None if it stays as it is, or if
        nothing can be said of what came in."""
        block, merge_key = place
        edges = activation.points[block].incoming[merge_key]
        try:
            return self._node(activation, place, waiting)
        except GiveUp as reason:
            for edge in waiting.edges:
                before = block if edge is None else edge[0]
                self._lose(activation, before, reason, (edges[edge],))
            return None

    def _node(self, activation: Activation, place: Place, waiting: _Waiting) -> Node | None:
        domain, (block, merge_key) = self._domain, place
        point = activation.points[block]
        known, edges = point.gathered.get(merge_key), point.incoming[merge_key]
        first, *more = edges.values()
        is_head = block in activation.code.heads and domain.may_repeat(first)
        activation.plain = activation.plain and known is None and not more
        if known is not None and is_head and self._is_above(known, edges, waiting.edges):
            return None
        if known is not None and not is_head and all(waiting.edges.values()):
            first, more = known.state, [edges[edge] for edge in waiting.edges]
        joined = functools.reduce(domain.join, more, first)
        if known is not None and is_head:
            joined = domain.widen(known.state, domain.join(known.state, joined))
        elif known is not None and domain.key(joined) == domain.key(known.state):
            return None
        if known is not None:
            known.superseded, known.covered = True, {}
            activation.revised = True  # it was gone on from
        node = point.gathered[merge_key] = Node(block, joined, waiting.parent, False)
        activation.nodes.append(node)
        return node

    def _is_above(self, node: Node, edges: dict[Any, Any], newest: Iterable[Any]) -> bool:
        """Does the state of a node cover all that comes in? What it was found to cover, it still
        does; what came last is most likely not covered."""
        for edge in (*newest, *edges):
            state = edges[edge]
            if node.covered.get(edge) is not state:
                if not self._domain.leq(state, node.state):
                    return False
                node.covered[edge] = state
        return True

    def _edges(
        self, activation: Activation, node: Node, following: list[tuple[int, Any]]
    ) -> list[tuple[int, Any]]:
        """One state for each block that control goes to, and merge key."""
        found: dict[Place, Any] = {}
        for target, state in following:
            place = (target, self._domain.merge_key(state))
            known = found.get(place)
            activation.plain = activation.plain and known is None
            try:
                found[place] = state if known is None else self._domain.join(known, state)
            except GiveUp as reason:
                self._lose(activation, node.block, reason, (state,))
        return [(target, state) for (target, _), state in found.items()]

    def _once_more(self, activation: Activation) -> Generator[Request, Reply, None]:
        """Take what states on the way to the fixpoint left from what those in the end say."""
        activation.tentative = False
        activation.exits, activation.found, activation.needs = {}, {}, {}
        activation.unlooked = {}
        for point in list(activation.points.values()):
            for node in point.nodes():
                yield from self._run(activation, node)
