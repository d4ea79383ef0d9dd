"""Summaries of earlier runs.

An activation for unknown callers depends on its procedure, on what that names, and on the
summaries that it asks for. So what an earlier run found for the same key (`keys.py`) holds if each
summary that it asked for, in its order, is again what it was then. They are asked for one after the
other, as the analysis would have: the first one that differs ends it, and the procedure is
analysed. Either way the same procedures are looked at in the same order, and the result is the
same. A callee that was analysed anew and came out as before changes nothing for its callers.

Procedures that call each other are kept together, under the one that was asked for first, and
recalled together or not at all. Kept is what was checked and is final: activations that ended by
themselves, not by the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

import msgspec

from precis.domains.protocol import CallSite, ObligationId, Standing, Summary
from precis.engine.activation import (
    Activation,
    Caller,
    Key,
    Limits,
    Lost,
    Node,
    Open,
    Reply,
    Request,
    Unlooked,
    Work,
)
from precis.engine.keys import Keys
from precis.engine.summary import (
    Asked,
    Kept,
    KeptOne,
    KeptOpen,
    KeptUnlooked,
    Row,
    SummaryStore,
    Trace,
    from_bytes,
    to_bytes,
)
from precis.ir.instr import Check
from precis.ir.procedure import Procedure
from precis.ir.program import Program

_LONGEST: Final = 400  # nodes of a way that are kept; reports show far fewer

IsKnown = Callable[[Key], bool]


@dataclass(slots=True)
class Group:
    """Activations that were recalled together, the one that was asked for last; who asked for the
    others; and how many states they cost."""

    activations: list[Activation]
    callers: dict[Key, Caller]
    spent: int


@final
class Recall:
    """The store as one analysis of one program sees it. `is_known` tells whether an activation is
    under way or done."""

    def __init__(
        self, store: SummaryStore, domain: Any, program: Program, limits: Limits, is_known: IsKnown
    ) -> None:
        self._store = store
        self._domain = domain
        self._program = program
        self._is_known = is_known
        self._keys = Keys(domain, program, limits)
        self._digests: dict[Key, bytes] = {}  # of finished summaries
        self.groups: dict[Key, Group] = {}  # that were recalled just now
        self.count = 0  # activations that were recalled

    def recalled(self, activation: Activation) -> Generator[Request, Reply, bool]:
        """Fill in the activation from an earlier run, if one fits; `groups` has it."""
        key = self._keys.procedure(activation.procedure.name)
        traces = [t for t in self._store.traces(key) if self._members_fit(activation, t)]
        place = 0
        while traces:
            done = [t for t in traces if len(t.asked) == place]
            if done:
                kept = self._store.kept(key, done[0])
                return kept is not None and self._adopt(activation, done[0], kept)
            traces = [t for t in traces if len(t.asked) > place]
            if len({(t.members, t.asked[place].callee) for t in traces}) != 1:
                return False
            request = self._request(traces[0], traces[0].asked[place])
            if request is None:
                return False
            yield request
            answer = self._digests.get((request.callee.name, None))
            traces = [t for t in traces if t.asked[place].digest == answer]
            place += 1
        return False

    def _members_fit(self, activation: Activation, trace: Trace) -> bool:
        """Are the procedures that go with this one as they were, and none of them looked at?"""
        if not trace.members or trace.members[-1][0] != activation.procedure.name:
            return False
        procedures = self._program.procedures
        if any(name not in procedures for name, _ in trace.members):
            return False
        return not any(self._is_known((name, None)) for name, _ in trace.members[:-1]) and all(
            self._keys.procedure(name) == key for name, key in trace.members
        )

    def _request(self, trace: Trace, asked: Asked) -> Request | None:
        callee = self._program.procedures.get(asked.callee)
        caller = self._caller(trace, asked)
        if callee is None or caller is None:
            return None
        return Request(caller.site, callee, None, caller.node, asked.sure, caller.key)

    def _caller(self, trace: Trace, asked: Asked) -> Caller | None:
        """Who asked; None if that cannot be."""
        procedures = [self._program.procedures[name] for name, _ in trace.members]
        nodes = _nodes(trace.nodes, procedures)
        in_range = 0 <= asked.caller < len(procedures) and asked.block >= 0 and asked.step >= 0
        if nodes is None or not in_range or not 0 <= asked.node < len(nodes):
            return None
        procedure = procedures[asked.caller]
        blocks = procedure.blocks
        if asked.block >= len(blocks) or asked.step >= len(blocks[asked.block].steps):
            return None
        site = CallSite(procedure.name, asked.block, asked.step)
        return Caller((procedure.name, None), site, nodes[asked.node], asked.sure)

    def _adopt(self, activation: Activation, trace: Trace, kept: Kept) -> bool:
        """Let the activation, and those that go with it, be what they were; False if that cannot
        be."""
        names = [name for name, _ in trace.members]
        procedures = [self._program.procedures[name] for name in names]
        nodes = _nodes(kept.nodes, procedures)
        callers = [(asked.callee, self._caller(trace, asked)) for asked in trace.inner]
        if len(kept.ones) != len(names) or nodes is None:
            return False
        if {name for name, caller in callers if caller is not None} != set(names[:-1]):
            return False
        made = [*(Activation(p, None, (p.name, None)) for p in procedures[:-1]), activation]
        known = {(name, None) for name in names} | self._digests.keys()
        try:
            parts = [
                self._parts(one, kept_one, nodes, known)
                for one, kept_one in zip(made, kept.ones, strict=True)
            ]
        except (LookupError, ValueError):
            return False
        for one, kept_one, part in zip(made, kept.ones, parts, strict=True):
            _fill(one, kept_one, part)
            self._note(one, kept_one.summary)
        self.groups[activation.key] = Group(
            made, {(name, None): c for name, c in callers if c is not None}, kept.spent
        )
        self.count += len(made)
        return True

    def _parts(
        self, activation: Activation, kept: KeptOne, nodes: list[Node], known: set[Key]
    ) -> _Parts:
        """All that an activation is to be, checked; raises ValueError or LookupError."""
        summary = from_bytes(self._domain, kept.summary)
        found = [self._open(one, nodes) for one in kept.found]
        lost = [_lost(activation.procedure, *one) for one in kept.lost]
        used: list[Key] = [(callee, None) for callee in kept.used]
        if summary.piece.procedure != activation.procedure.name or not known.issuperset(used):
            raise ValueError("a summary of something else")
        if not all(self._has_check(need.origin) for need in summary.needs):
            raise ValueError("an obligation that the program does not have")
        unlooked = [self._unlooked(activation, one, nodes) for one in kept.unlooked]
        return _Parts(summary, found, lost, unlooked, used)

    def _open(self, one: KeptOpen, nodes: list[Node]) -> Open:
        origin = ObligationId(one.procedure, one.number)
        if not self._has_check(origin) or one.node < -1:
            raise ValueError("an obligation that the program does not have")
        node = None if one.node < 0 else nodes[one.node]
        via = tuple(CallSite(*site) for site in one.via)
        return Open(
            origin,
            Standing(one.standing),
            one.why,
            node,
            via,
            one.prunes,
            one.sure,
            one.certain,
            one.asked,
        )

    def _unlooked(self, activation: Activation, one: KeptUnlooked, nodes: list[Node]) -> Unlooked:
        if one.callee not in self._program.procedures or min(one.node, one.block, one.step) < 0:
            raise ValueError("a procedure that the program does not have")
        site = CallSite(activation.procedure.name, one.block, one.step)
        return Unlooked(one.callee, site, one.why, nodes[one.node], one.by_name, one.supposed)

    def _has_check(self, origin: ObligationId) -> bool:
        procedure = self._program.procedures.get(origin.procedure)
        return procedure is not None and any(
            isinstance(step, Check) and step.number == origin.number
            for block in procedure.blocks
            for step in block.steps
        )

    # What is kept.

    def _note(self, activation: Activation, data: bytes) -> None:
        """A summary is final: how callers see it from now on."""
        plain = msgspec.msgpack.decode(data)[3]
        self._digests[activation.key] = self._keys.summary(activation.procedure.name, plain)

    def keep(
        self, activations: Sequence[Activation], work: Mapping[Key, Work],
        callers: Mapping[Key, Caller],
    ) -> None:  # fmt: skip
        """Keep activations that were done together, if all that they rest on can be told."""
        encoded: list[bytes] = []
        for one in activations:
            if one.key[1] is None and one.summary is not None:
                try:
                    data = to_bytes(self._domain, one.summary)
                except ValueError:
                    continue  # there is something in it that has no place in the format
                self._note(one, data)
                encoded.append(data)
        own = {one.key for one in activations}
        asked = {key for one in work.values() for key in one.asked}
        if len(encoded) != len(activations) or not all(one.keepable for one in work.values()):
            return
        if not self._digests.keys() >= asked or not self._is_whole(activations, asked - own):
            return
        if any(
            one.key not in callers or callers[one.key].key not in own for one in activations[:-1]
        ):
            return
        writing = _Writing(activations)
        trace = self._trace(writing, work, callers)
        kept = Kept(
            tuple(writing.one(*pair) for pair in zip(activations, encoded, strict=True)),
            tuple(writing.found.rows), sum(one.spent for one in work.values()),
        )  # fmt: skip
        self._store.keep(self._keys.procedure(activations[-1].procedure.name), trace, kept)

    def _is_whole(self, activations: Sequence[Activation], others: set[Key]) -> bool:
        """Of procedures that may call each other, none was done before the others."""
        component = self._keys.component.get(activations[-1].procedure.name, ())
        return not any(name in component for name, _ in others)

    def _trace(
        self, writing: _Writing, work: Mapping[Key, Work], callers: Mapping[Key, Caller]
    ) -> Trace:
        own = writing.numbers
        first: dict[Key, tuple[Key, Request]] = {}
        for asker, key, request in _in_order(work, own):
            first.setdefault(key, (asker, request))
        members = [one.procedure.name for one in writing.activations]
        asked = tuple(
            writing.asked(key, asker, request.site, request.node, request.sure, self._digests[key])
            for key, (asker, request) in first.items()
        )
        inner = tuple(
            writing.asked(one.key, known.key, known.site, known.node, known.sure, b"")
            for one in writing.activations[:-1]
            for known in (callers[one.key],)
        )
        return Trace(
            tuple((name, self._keys.procedure(name)) for name in members), asked, inner,
            tuple(writing.ways.rows),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Parts:
    summary: Summary[Any, Any]
    found: list[Open]
    lost: list[Lost]
    unlooked: list[Unlooked]
    used: list[Key]


def _fill(activation: Activation, kept: KeptOne, parts: _Parts) -> None:
    activation.reset()
    activation.settle(parts.summary)
    activation.explain({ObligationId(name, number): why for name, number, why in kept.whys})
    activation.found = {(one.origin, one.via): one for one in parts.found}
    activation.lost = dict.fromkeys(parts.lost)
    activation.unlooked = {(one.callee, one.site): one for one in parts.unlooked}
    activation.used = dict.fromkeys(parts.used)
    activation.given_up = kept.given_up
    activation.states, activation.steps = kept.states, kept.steps
    activation.recalled = True


def _lost(procedure: Procedure, block: int, step: int, reason: str) -> Lost:
    """Where it is in the source now."""
    if block < 0 or step < -1:
        raise ValueError("a place of another procedure")
    at = procedure.at
    if step >= 0:
        steps = procedure.blocks[block].steps
        at = procedure.blocks[block].end.at if step == len(steps) else steps[step].at
    return Lost(procedure.name, block, step, at, reason, contained=True)


def _in_order(work: Mapping[Key, Work], own: Mapping[Key, int]) -> list[tuple[Key, Key, Request]]:
    """Who asked for whom, from the first request to the last; without those within a group."""
    found = [
        (count, asker, key, request)
        for asker, one in work.items()
        for key, (count, request) in one.asked.items()
        if key not in own
    ]
    found.sort(key=lambda item: item[0])
    return [(asker, key, request) for _, asker, key, request in found]


@dataclass(slots=True)
class _Ways:
    """A table of nodes, each with the one before it."""

    rows: list[Row] = field(default_factory=list)
    numbers: dict[Node, int] = field(default_factory=dict)

    def number(self, member: int, node: Node) -> int:
        way: list[Node] = []
        at: Node | None = node
        while at is not None and at not in self.numbers and len(way) < _LONGEST:
            way.append(at)
            at = at.parent
        before = -1 if at is None else self.numbers.get(at, -1)
        for one in reversed(way):
            self.numbers[one] = len(self.rows)
            self.rows.append((member, one.block, before))
            before = self.numbers[one]
        return self.numbers[node]


@final
class _Writing:
    """Activations on their way to the store."""

    def __init__(self, activations: Sequence[Activation]) -> None:
        self.activations = activations
        self.numbers = {one.key: number for number, one in enumerate(activations)}
        self.ways = _Ways()
        self.found = _Ways()

    def asked(
        self, key: Key, asker: Key, site: CallSite, node: Node, sure: bool, answer: bytes
    ) -> Asked:
        member = self.numbers[asker]
        number = self.ways.number(member, node)
        return Asked(key[0], member, site.block, site.step, number, sure, answer)

    def one(self, activation: Activation, data: bytes) -> KeptOne:
        member = self.numbers[activation.key]
        found = tuple(
            KeptOpen(
                *open_.origin, open_.standing.value, open_.why,
                -1 if open_.node is None else self.found.number(member, open_.node),
                tuple((site.procedure, site.block, site.step) for site in open_.via),
                open_.prunes, open_.sure, open_.certain, open_.asked,
            )
            for open_ in activation.found.values()
        )  # fmt: skip
        unlooked = tuple(
            KeptUnlooked(
                one.callee, one.site.block, one.site.step, one.why,
                self.found.number(member, one.node), one.by_name, one.supposed,
            )
            for one in activation.unlooked.values()
        )  # fmt: skip
        return KeptOne(
            data, found, unlooked,
            tuple((lost.block, lost.step, lost.reason) for lost in activation.lost),
            tuple(name for name, _ in activation.used), activation.states, activation.steps,
            activation.given_up,
            tuple((*need.origin, why) for need, why in activation.needs.items() if why),
        )  # fmt: skip


def _nodes(rows: Sequence[Row], procedures: Sequence[Procedure]) -> list[Node] | None:
    """The nodes again; None if they are of other procedures."""
    found: list[Node] = []
    for member, block, before in rows:
        if not 0 <= member < len(procedures) or not -1 <= before < len(found):
            return None
        if not 0 <= block < len(procedures[member].blocks):
            return None
        if before >= 0 and rows[before][0] != member:
            return None
        found.append(Node(block, None, None if before < 0 else found[before], False))
    return found
