"""Summaries of earlier runs.

An activation for unknown callers depends on its procedure, on what that names, and on the
summaries that it asks for. So what an earlier run found for the same key (`keys.py`) holds if each
summary that it asked for, in its order, is again what it was then. They are asked for one after the
other, as the analysis would have: the first one that differs ends it, and the procedure is
analysed. Either way the same procedures are looked at in the same order, and the result is the
same. A callee that was analysed anew and came out as before changes nothing for its callers.

Kept is what was checked and is final: an activation that ended by itself, not by the clock. Of
recursive components nothing is kept; their callers' summaries are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, final

import msgspec

from precis.domains.protocol import CallSite, ObligationId, Standing
from precis.engine.activation import Activation, Key, Limits, Lost, Node, Open, Reply, Request
from precis.engine.keys import Keys, digest
from precis.engine.summary import (
    Asked,
    Kept,
    KeptOpen,
    SummaryStore,
    Trace,
    from_bytes,
    to_bytes,
)
from precis.ir.instr import Check
from precis.ir.program import Program

_LONGEST: Final = 400  # nodes of a way that are kept; reports show far fewer

Inner = Callable[[str], tuple[ObligationId, ...]]


@final
class Recall:
    """The store as one analysis of one program sees it. `inner` tells the obligations in a
    procedure and in all that it calls."""

    def __init__(
        self, store: SummaryStore, domain: Any, program: Program, limits: Limits, inner: Inner
    ) -> None:
        self._store = store
        self._domain = domain
        self._program = program
        self._inner = inner
        self._keys = Keys(domain, program, limits)
        self._digests: dict[Key, bytes] = {}  # of finished summaries
        self._encoded: dict[Key, bytes] = {}
        self._own: dict[str, bytes] = {}  # keys of procedures
        self.count = 0  # activations that were recalled

    def recalled(self, activation: Activation) -> Generator[Request, Reply, bool]:
        """Fill in the activation from an earlier run, if one fits."""
        key = self._key(activation)
        traces = list(self._store.traces(key))
        place = 0
        while traces:
            done = [trace for trace in traces if len(trace.asked) == place and self._fits(trace)]
            if done:
                kept = self._store.kept(key, done[0])
                return kept is not None and self._adopt(activation, kept)
            traces = [trace for trace in traces if len(trace.asked) > place]
            if len({(one.callee, one.block, one.step) for one in _at(traces, place)}) != 1:
                return False
            request = self._request(activation, traces[0], place)
            if request is None:
                return False
            yield request
            answer = self._digests.get((request.callee.name, None))
            traces = [trace for trace in traces if trace.asked[place].digest == answer]
            place += 1
        return False

    def _fits(self, trace: Trace) -> bool:
        """Are the obligations that were left open still those?"""
        procedures = self._program.procedures
        return all(
            name in procedures and self._inside(name) == known for name, known in trace.inside
        )

    def _inside(self, name: str) -> bytes:
        return digest([list(origin) for origin in self._inner(name)])

    def _request(self, activation: Activation, trace: Trace, place: int) -> Request | None:
        asked = trace.asked[place]
        callee = self._program.procedures.get(asked.callee)
        nodes = _nodes(trace.nodes, len(activation.procedure.blocks))
        if callee is None or nodes is None or not 0 <= asked.node < len(nodes):
            return None
        site = CallSite(activation.procedure.name, asked.block, asked.step)
        return Request(site, callee, None, nodes[asked.node], asked.sure)

    def _adopt(self, activation: Activation, kept: Kept) -> bool:
        """Let the activation be what it was; False if that cannot be."""
        name = activation.procedure.name
        try:
            summary = from_bytes(self._domain, kept.summary)
            found = [self._open(activation, kept, one) for one in kept.found]
            lost = [self._lost(activation, *one) for one in kept.lost]
        except (LookupError, ValueError):
            return False
        used = [(callee, None) for callee in kept.used]
        if summary.piece.procedure != name or any(key not in self._digests for key in used):
            return False
        activation.reset()
        activation.settle(summary)
        activation.found = {(one.origin, one.via): one for one in found}
        activation.lost = dict.fromkeys(lost)
        activation.used = dict.fromkeys(used)
        activation.given_up = kept.given_up
        activation.states, activation.steps = kept.states, kept.steps
        activation.spent = kept.spent
        activation.recalled = True
        self.note(activation, kept.summary)
        self.count += 1
        return True

    def _open(self, activation: Activation, kept: Kept, one: KeptOpen) -> Open:
        origin = ObligationId(one.procedure, one.number)
        if not self._has_check(origin):
            raise ValueError("an obligation that the program does not have")
        node = None
        if one.node >= 0:
            nodes = _nodes(kept.nodes, len(activation.procedure.blocks))
            if nodes is None:
                raise ValueError("nodes of another procedure")
            node = nodes[one.node]
        via = tuple(CallSite(*site) for site in one.via)
        return Open(origin, Standing(one.standing), one.why, node, via, one.prunes, one.sure)

    def _has_check(self, origin: ObligationId) -> bool:
        procedure = self._program.procedures.get(origin.procedure)
        return procedure is not None and any(
            isinstance(step, Check) and step.number == origin.number
            for block in procedure.blocks
            for step in block.steps
        )

    def _lost(self, activation: Activation, block: int, step: int, reason: str) -> Lost:
        """Where it is in the source now."""
        procedure = activation.procedure
        if block < 0 or step < -1:
            raise ValueError("a place of another procedure")
        at = procedure.at
        if step >= 0:
            steps = procedure.blocks[block].steps
            at = procedure.blocks[block].end.at if step == len(steps) else steps[step].at
        return Lost(procedure.name, block, step, at, reason)

    # What is kept.

    def note(self, activation: Activation, data: bytes | None = None) -> None:
        """A summary is final: how callers see it from now on."""
        if activation.key[1] is not None:
            return
        try:
            if data is None:
                data = to_bytes(self._domain, activation.summary)  # type: ignore[arg-type]
            plain = msgspec.msgpack.decode(data)[3]
            self._digests[activation.key] = self._keys.summary(activation.procedure.name, plain)
            self._encoded[activation.key] = data
        except ValueError:
            return  # there is something in it that has no place in the format

    def keep(self, activation: Activation) -> None:
        """Keep an activation by itself, if all that it rests on can be told."""
        key, asked = activation.key, activation.asked
        data = self._encoded.pop(key, None)
        if data is None or key in asked or any(callee not in self._digests for callee in asked):
            return
        nodes: dict[Node, int] = {}
        rows: list[tuple[int, int]] = []
        trace = Trace(
            tuple(
                Asked(
                    callee[0], request.site.block, request.site.step,
                    _numbered(request.node, nodes, rows), request.sure, self._digests[callee],
                )
                for callee, request in asked.items()
            ),
            tuple((name, self._inside(name)) for name in activation.opened),
            tuple(rows),
        )  # fmt: skip
        found_nodes: dict[Node, int] = {}
        found_rows: list[tuple[int, int]] = []
        found = tuple(
            KeptOpen(
                *one.origin, one.standing.value, one.why,
                -1 if one.node is None else _numbered(one.node, found_nodes, found_rows),
                tuple((site.procedure, site.block, site.step) for site in one.via),
                one.prunes, one.sure,
            )
            for one in activation.found.values()
        )  # fmt: skip
        kept = Kept(
            data, found, tuple((lost.block, lost.step, lost.reason) for lost in activation.lost),
            tuple(name for name, _ in activation.used), tuple(found_rows), activation.states,
            activation.steps, activation.spent, activation.given_up,
        )  # fmt: skip
        self._store.keep(self._key(activation), trace, kept)

    def _key(self, activation: Activation) -> bytes:
        name = activation.procedure.name
        found = self._own.get(name)
        if found is None:
            found = self._own[name] = self._keys.procedure(name)
        return found


def _at(traces: list[Trace], place: int) -> list[Asked]:
    return [trace.asked[place] for trace in traces]


def _numbered(node: Node, numbers: dict[Node, int], rows: list[tuple[int, int]]) -> int:
    """The number of a node in a table that has those before it, too."""
    way: list[Node] = []
    at: Node | None = node
    while at is not None and at not in numbers and len(way) < _LONGEST:
        way.append(at)
        at = at.parent
    before = -1 if at is None else numbers.get(at, -1)
    for one in reversed(way):
        numbers[one] = len(rows)
        rows.append((one.block, before))
        before = numbers[one]
    return numbers[node]


def _nodes(rows: tuple[tuple[int, int], ...], blocks: int) -> list[Node] | None:
    """The nodes again; None if they are of another procedure."""
    found: list[Node] = []
    for block, before in rows:
        if not 0 <= block < blocks or not -1 <= before < len(found):
            return None
        found.append(Node(block, None, None if before < 0 else found[before], False))
    return found
