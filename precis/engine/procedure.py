"""The fixpoint inside one activation of a procedure.

States are kept apart at the start of each basic block as long as there are few. When too many
of one merge key have come to a block, further ones go into one *gathered* state: joined, and at
the head of a loop widened. Blocks are visited in weak topological order, so that a loop is done
before what follows it.

After widening, the heads are narrowed and the exploration is done once more with the narrowed
states given; a state that they do not cover sends the activation back to the wide ones.

Calls are requests to whoever runs the exploration: it is a generator that yields `Request` and
is sent `Reply`, so that recursion of the program is not recursion here.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Hashable, Iterable, Sequence
from typing import Any

from precis.domains.protocol import (
    CallSite,
    Exit,
    GiveUp,
    Judgement,
    ObligationId,
    Refused,
    Standing,
    Supposing,
    Unfollowed,
)
from precis.engine.activation import (
    ASSUMED,
    LEAVES,
    Activation,
    Limits,
    Lost,
    Node,
    Open,
    Point,
    Reply,
    Request,
    Unlooked,
)
from precis.engine.budget import SLOW, Budget
from precis.ir.instr import Call, Check, End, Step
from precis.ir.program import Program


class NotCovered(Exception):
    """A narrowed state turned out to be too narrow."""


class Explorer:
    """Runs activations of one domain."""

    __slots__ = ("_budget", "_domain", "_limits", "_program", "_sure")

    def __init__(self, domain: Any, program: Program, limits: Limits, budget: Budget) -> None:
        self._domain = domain
        self._program = program
        self._limits = limits
        self._budget = budget
        self._sure = False  # of the step that is being run

    def explore(self, activation: Activation) -> Generator[Request, Reply, None]:
        """Run to the fixpoint; then once more with narrowed heads, if any was widened."""
        activation.fixed = {}
        yield from self._ascend(activation)
        for _ in range(self._limits.narrowings if activation.gathers else 0):
            wide = (activation.points, activation.exits, activation.found, activation.needs,
                    activation.lost, activation.unlooked, activation.used)  # fmt: skip
            activation.fixed = yield from self._narrowed(activation)
            if not activation.fixed:
                break
            try:
                yield from self._ascend(activation)
            except NotCovered:
                (activation.points, activation.exits, activation.found, activation.needs,
                 activation.lost, activation.unlooked, activation.used) = wide  # fmt: skip
                break
        activation.fixed = {}

    def _ascend(self, activation: Activation) -> Generator[Request, Reply, None]:
        activation.reset()
        state, log = self._domain.start(activation.procedure, activation.entry)
        activation.log = log
        queue: list[tuple[int, int, Node]] = []
        count = 0
        first = self._arrive(activation, 0, state, None, True)
        if first is not None:
            heapq.heappush(queue, (0, 0, first))
        position = activation.code.position
        while queue:
            _, _, node = heapq.heappop(queue)
            if node.superseded:
                continue
            self._spend(activation)
            exits = len(activation.exits)
            following = yield from self._run(activation, node)
            if len({target for target, _ in following}) > 1:
                activation.points[node.block].forks += 1
            sure = node.sure and len(following) == 1 and len(activation.exits) == exits
            for target, after in following:
                try:
                    arrived = self._arrive(activation, target, after, node, sure)
                except GiveUp as reason:
                    self._lose(activation, node.block, reason, (after,))
                    continue
                if arrived is not None:
                    count += 1
                    heapq.heappush(queue, (position[target], count, arrived))

    def _spend(self, activation: Activation) -> None:
        """One more state is looked at."""
        activation.states += 1
        self._budget.spend()
        if activation.states > activation.patience:
            raise GiveUp(SLOW)

    # What comes out of a block.

    def _run(
        self, activation: Activation, node: Node
    ) -> Generator[Request, Reply, list[tuple[int, Any]]]:
        """Run the block from the state of a node."""
        code, log, block = activation.code, activation.log, node.block
        exits = len(activation.exits)
        states: list[Any] = [node.state]
        for kind, item, extra, index in code.blocks[block]:
            if not states:
                return []
            activation.steps += len(states)
            self._sure = node.sure and len(states) == 1 and len(activation.exits) == exits
            following: list[Any] = []
            try:
                if kind == "step":
                    for state in states:
                        following.extend(item(state, log))
                elif kind == "check":
                    for state in states:
                        following.extend(self._check(activation, node, state, item, extra))
                else:
                    for state in states:
                        after = yield from self._call(activation, node, state, item, extra)
                        following.extend(after)
                if len(following) > self._limits.in_block:
                    following = self._merged(following)
                    activation.plain = False
            except GiveUp as reason:
                self._lose(activation, block, reason, states, index)
                return []
            states = following
        return self._end(activation, node, states)

    def _end(self, activation: Activation, node: Node, states: list[Any]) -> list[tuple[int, Any]]:
        code, block = activation.code, node.block
        end = code.ends[block]
        assert end is not None
        found: list[tuple[int, Any]] = []
        try:
            for state in states:
                for target, after in end(state, activation.log):
                    if target == LEAVES:
                        self._leave(activation, code.is_exit[block], after)
                    else:
                        found.append((target, after))
        except GiveUp as reason:
            self._lose(activation, block, reason, states)
        return found

    def _lose(
        self, activation: Activation, block: int, reason: GiveUp, states: Iterable[Any],
        step: int | None = None,
    ) -> None:  # fmt: skip
        """Nothing is known beyond a step, or the end, of a block; these states came to it."""
        code = activation.procedure.blocks[block]
        at = code.end.at if step is None else code.steps[step].at
        step = len(code.steps) if step is None else step
        contained = self._domain.packs
        lost = Lost(activation.procedure.name, block, step, at, str(reason), contained)
        activation.lost[lost] = None
        if contained:
            for state in states:
                for exit_, after in self._domain.unknown_exits(state):
                    if exit_ is not Exit.RETURN or block in activation.code.returns:
                        self._leave(activation, exit_, after)

    def _leave(self, activation: Activation, exit_: Exit, state: Any) -> None:
        activation.exits.setdefault((exit_, self._domain.key(state)), (exit_, state))

    def _check(
        self, activation: Activation, node: Node, state: Any, check: Check, following: Step | End
    ) -> tuple[Any, ...]:
        origin = ObligationId(activation.procedure.name, check.number)
        if activation.tentative:
            some: tuple[Any, ...] = self._domain.passing(
                state, check.obligation, following, origin, activation.log
            )
            return some
        judgement = self._domain.judge(state, check.obligation, following, origin, activation.log)
        if judgement.standing is not Standing.MET:
            prunes = judgement.passed != (state,) or isinstance(check.obligation, ASSUMED)
            self._record(activation, origin, judgement, node, (), prunes)
        passed: tuple[Any, ...] = judgement.passed
        return passed

    def _record(
        self, activation: Activation, origin: ObligationId, judgement: Judgement[Any, Any],
        node: Node | None, via: tuple[CallSite, ...], prunes: bool,
    ) -> None:  # fmt: skip
        """An obligation that is not met: the callers' business if there is a need, else open."""
        if judgement.need is not None and judgement.standing is Standing.OPEN:
            activation.needs.setdefault(judgement.need, judgement.why)
            if judgement.certain and (origin, via) not in activation.found:
                activation.found[origin, via] = Open(
                    origin,
                    Standing.NEVER_MET,
                    judgement.why,
                    node,
                    via,
                    prunes,
                    certain=True,
                    asked=True,
                )
            return
        known = activation.found.get((origin, via))
        if known is None or known.asked:
            activation.found[origin, via] = Open(
                origin,
                judgement.standing,
                judgement.why,
                node,
                via,
                prunes,
                self._sure,
                judgement.certain,
            )
            return
        known.prunes = known.prunes or prunes
        if known.standing is not judgement.standing:
            known.standing = Standing.OPEN

    def _call(
        self, activation: Activation, node: Node, state: Any, call: Call,
        where: tuple[CallSite, ObligationId | None],
    ) -> Generator[Request, Reply, list[Any]]:  # fmt: skip
        domain, log = self._domain, activation.log
        site, leak_check = where
        targets = domain.targets(state, call)
        if targets is None:
            raise GiveUp("the function that is called is not known")
        after: list[Any] = []
        for name in targets:
            callee = self._program.procedures.get(name)
            native = domain.external(state, call, name, site, log)
            if isinstance(native, Unfollowed):
                self._leave_open(activation, node, (name, site), native.why, by_name=True)
                native = native.states
            if native is not None:
                after.extend(native)
                self._returned(activation, node, (state, call, native), leak_check)
                continue
            if callee is None:
                raise GiveUp(f"the function {name} has no body and no model")
            for entry, frame in domain.enter(state, call, callee, site, log):
                reply = yield Request(site, callee, entry, node, self._sure and len(targets) == 1)
                try:
                    left = [
                        (outcome.exit, domain.resume(frame, reply.binding, outcome, log))
                        for outcome in reply.outcomes
                    ]
                    needs = reply.needs
                except Refused as reason:
                    supposes = isinstance(domain, Supposing) and domain.supposes
                    called = (name, site)
                    self._leave_open(activation, node, called, str(reason), False, supposes)
                    left, needs = domain.anything(frame, log), ()
                for exit_, states in left:
                    if exit_ is Exit.RETURN:
                        after.extend(states)
                        self._returned(activation, node, (state, call, states), leak_check)
                    else:
                        for halted in states:
                            self._leave(activation, exit_, halted)
                for need in () if activation.tentative else needs:
                    lifted = domain.lift(frame, reply.binding, need, site)
                    if lifted.standing is not Standing.MET:
                        via = (*need.via, site)
                        self._record(activation, need.origin, lifted, node, via, True)
        return after

    def _leave_open(
        self, activation: Activation, node: Node, called: tuple[str, CallSite], why: str,
        by_name: bool, supposed: bool = False,
    ) -> None:  # fmt: skip
        """Nobody looks at the obligations in a procedure and in what it calls; or it is supposed
        that none of them is broken in this call."""
        found = Unlooked(*called, why, node, by_name, supposed)
        activation.unlooked.setdefault(called, found)

    def _returned(
        self, activation: Activation, node: Node, done: tuple[Any, Call, Sequence[Any]],
        origin: ObligationId | None,
    ) -> None:  # fmt: skip
        """Judge what a call (its state, itself, the states after it) may have lost."""
        if origin is not None and not activation.tentative:
            for judged in self._domain.returned(*done, origin):
                self._record(activation, origin, judged, node, (), False)

    # What comes to a block.

    def _arrive(
        self, activation: Activation, block: int, state: Any, parent: Node | None, sure: bool
    ) -> Node | None:
        """Put a state at the start of a block; the node to visit, if it is new there."""
        domain, limits = self._domain, self._limits
        point = activation.points.get(block)
        if point is None:
            point = activation.points[block] = Point()
        merge_key = domain.merge_key(state)
        group = point.kept.get(merge_key)
        if group is None:
            if len(point.kept) >= limits.keys:
                return self._gather(activation, point, block, None, state, parent)
            group = point.kept[merge_key] = {}
        key = domain.key(state)
        if key in group:
            return None
        if block in activation.code.heads:
            full = len(group) >= limits.at_loops or point.forks >= limits.forks
        else:
            full = len(group) >= limits.apart
        if full:
            gather = None if limits.together else merge_key
            return self._gather(activation, point, block, gather, state, parent)
        covering = point.gathered.get(merge_key) or point.gathered.get(None)
        if covering is not None and domain.leq(state, covering.state):
            return None
        node = Node(block, state, parent, sure)
        group[key] = node
        return node

    def _gather(
        self, activation: Activation, point: Point, block: int, merge_key: Hashable, state: Any,
        parent: Node | None,
    ) -> Node | None:  # fmt: skip
        domain = self._domain
        known = point.gathered.get(merge_key)
        given = activation.fixed.get((block, merge_key))
        if given is not None:
            if not domain.leq(state, given):
                raise NotCovered
            if known is not None:
                return None
            state = given
        elif known is not None:
            if domain.leq(state, known.state):
                return None
            joined = domain.join(known.state, state)
            is_head = block in activation.code.heads
            state = domain.widen(known.state, joined) if is_head else joined
            known.superseded = True
        if block in activation.code.heads:
            activation.gathers = True
        node = Node(block, state, parent, False)
        point.gathered[merge_key] = node
        return node

    def _merged(self, states: list[Any]) -> list[Any]:
        """Too many states on the way through a block: one for each merge key, or one."""
        groups: dict[Hashable, Any] = {}
        for state in states:
            key = None if self._limits.together else self._domain.merge_key(state)
            known = groups.get(key)
            groups[key] = state if known is None else self._domain.join(known, state)
        found = list(groups.values())
        while len(found) > self._limits.in_block:
            found[-2:] = [self._domain.join(found[-2], found[-1])]
        return found

    # Narrowing, and the check that the result is one.

    def _narrowed(
        self, activation: Activation
    ) -> Generator[Request, Reply, dict[tuple[int, Hashable], Any]]:
        """The widened heads, narrowed by what really comes to them."""
        incoming: dict[tuple[int, Hashable], Any] = {}
        state, _ = self._domain.start(activation.procedure, activation.entry)
        self._collect(activation, 0, state, incoming)
        for point in list(activation.points.values()):
            for node in point.nodes():
                following = yield from self._run(activation, node)
                for target, after in following:
                    self._collect(activation, target, after, incoming)
        fixed: dict[tuple[int, Hashable], Any] = {}
        for block, point in activation.points.items():
            for merge_key, node in point.gathered.items():
                tight = incoming.get((block, merge_key))
                if tight is None or not self._domain.leq(tight, node.state):
                    fixed[block, merge_key] = node.state
                else:
                    fixed[block, merge_key] = self._domain.narrow(node.state, tight)
        return fixed

    def _collect(
        self, activation: Activation, block: int, state: Any, incoming: dict[Any, Any]
    ) -> None:
        """Join what the gathered state of its key at the block has to cover."""
        point = activation.points.get(block)
        if point is None or not point.gathered:
            return
        merge_key = self._domain.merge_key(state)
        group = point.kept.get(merge_key)
        if group is not None and self._domain.key(state) in group:
            return
        where = (block, merge_key if merge_key in point.gathered else None)
        known = incoming.get(where)
        incoming[where] = state if known is None else self._domain.join(known, state)
