"""Is what was explored a fixpoint? What follows from the states of an activation is among them, or
they grow until it is."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, final

from precis.domains.protocol import GiveUp
from precis.engine.activation import Activation, Node, Point, Reply, Request
from precis.engine.sweep import Sweeping


@final
class Confirming(Sweeping):
    """An explorer that looks at its own results."""

    __slots__ = ()

    def mend(self, activation: Activation) -> Generator[Request, Reply, None]:
        """States at blocks only grow from here on, until they cover what follows from them."""
        used = activation.used
        activation.tentative = True
        work = [node for point in activation.points.values() for node in point.nodes()]
        while work:
            node = work.pop(0)
            if node.superseded:
                continue
            self._spend(activation)
            following = yield from self._run(activation, node)
            for target, after in self._edges(activation, node, following):
                if not self._covered(activation, target, after):
                    work.append(self._grown(activation, target, after, node))
        activation.lost = {}
        activation.used = used
        yield from self._once_more(activation)

    def _grown(self, activation: Activation, block: int, state: Any, parent: Node) -> Node:
        """The one state of a block, with another one in it."""
        domain = self._domain
        point = activation.points.setdefault(block, Point())
        merge_key = domain.merge_key(state)
        known = point.gathered.get(merge_key)
        if known is not None:
            state = domain.join(known.state, state)
            if block in activation.code.heads:
                state = domain.widen(known.state, state)
            known.superseded = True
        node = point.gathered[merge_key] = Node(block, state, parent, False)
        activation.nodes.append(node)
        return node

    def recheck(self, activation: Activation) -> Generator[Request, Reply, str]:
        """F(x) <= x: what follows from the states is among them. Empty, or what is not."""
        activation.tentative = False
        exits = dict(activation.exits)
        found, needs = _open(activation), set(activation.needs)
        lost, unlooked = set(activation.lost), set(activation.unlooked)
        state, _ = self._domain.start(activation.procedure, activation.entry)
        try:
            if not self._covered(activation, 0, state):
                return "the start is not covered"
        except GiveUp as reason:
            return str(reason)
        for block, point in list(activation.points.items()):
            for node in point.nodes():
                self._budget.spend()
                following = yield from self._run(activation, node)
                for target, after in following:
                    try:
                        covered = self._covered(activation, target, after)
                    except GiveUp as reason:
                        self._lose(activation, block, reason, (after,))
                        continue
                    if not covered:
                        return f"a state from block {block} to block {target} is not covered"
        if activation.exits.keys() - exits.keys():
            return "an exit is not covered"
        seen = set(activation.unlooked) <= unlooked and set(activation.needs) <= needs
        if not seen or _open(activation) - found:
            return "an open obligation was not seen"
        return "a loss was not seen" if set(activation.lost) - lost else ""

    def _covered(self, activation: Activation, block: int, state: Any) -> bool:
        point = activation.points.get(block)
        if point is None:
            return False
        merge_key = self._domain.merge_key(state)
        group = point.kept.get(merge_key)
        if group is not None and self._domain.key(state) in group:
            return True
        leq = self._domain.leq
        nodes = [point.gathered.get(merge_key), point.gathered.get(None)]
        if any(node is not None and leq(state, node.state) for node in nodes):
            return True
        return any(leq(state, node.state) for node in point.nodes())


def _open(activation: Activation) -> set[Any]:
    """What is open, whatever callers do."""
    return {key for key, found in activation.found.items() if not found.asked}
