"""Which activation runs when.

On demand: from roots, a call for which no summary fits starts the callee's activation, and the
caller waits. Entries of a procedure are kept apart up to a limit; then a summary that covers the
entry is taken, or the entry is widened.

Recursion: a call of an activation that is under way is answered by what is *assumed* of it, at
first that it never returns. Activations that used an assumption are provisional. When the
outermost of them is done and gives more than was assumed, the assumptions grow and it is done
again; when nothing grows any more, all of them are final. Inside an unfinished component only
the exact entry is matched, so nothing is ever taken back.

Bottom-up: components of the call graph, callees first, each procedure for unknown callers.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from precis.domains.protocol import (
    Coarsening,
    Exit,
    GiveUp,
    Keepable,
    Need,
    ObligationId,
    Outcome,
    Redo,
    Summary,
)
from precis.engine.activation import (
    Activation,
    Caller,
    Code,
    Key,
    Limits,
    Reply,
    Request,
    Work,
    returning_blocks,
)
from precis.engine.budget import LARGE, LAST_SHARES, ROOM, SLOW, Budget, Event, Exhausted
from precis.engine.confirm import Confirming
from precis.engine.recall import Recall
from precis.engine.summary import SummaryStore, SummaryTable
from precis.ir.callgraph import call_graph
from precis.ir.instr import Check
from precis.ir.program import Program

MOST_REDOS = 40
MOST_OF_LIBRARY = 32  # procedures that one may need, each with its share of the time
MOST_BUCKETS = 4  # times the limit of contexts, before all entries of a procedure are merged


@dataclass(slots=True)
class _Frame:
    """An activation under way. `low` is the lowest place on the stack that it depends on;
    `waiting` is the request that the activation above it is for."""

    activation: Activation
    running: Generator[Request, Reply, Any]
    low: int
    rounds: int = 0
    redos: int = 0
    waiting: Request | None = None


@dataclass(slots=True)
class _Aside:
    """A provisional activation, and whether more came out of it than was assumed."""

    activation: Activation
    low: int
    grew: bool


@dataclass(slots=True)
class _Assumed:
    """What is assumed of an activation in an unfinished component."""

    outcomes: tuple[Outcome[Any], ...] = ()
    needs: tuple[Need[Any], ...] = ()
    used: bool = False


class Schedule:
    """All activations of one domain over one program."""

    def __init__(
        self, domain: Any, program: Program, limits: Limits, budget: Budget,
        store: SummaryStore | None = None,
    ) -> None:  # fmt: skip
        self.domain = domain
        self.program = program
        self.limits = limits
        self.budget = budget
        self.explorer = Confirming(domain, program, limits, budget)
        self.recall: Recall | None = None
        if store is not None and domain.packs and limits.single and isinstance(domain, Keepable):
            self.recall = Recall(store, domain, program, limits, self._is_known)
        self.table = SummaryTable()
        self.done: dict[Key, Activation] = {}
        self._expected: set[str] = set()  # procedures that are still to be done, if that is known
        self.rounds = 0
        self.callers: dict[Key, Caller] = {}
        self._codes: dict[str, Code] = {}
        self._checks: dict[ObligationId, Check] = {}
        self._stack: list[_Frame] = []
        self._active: dict[Key, int] = {}  # place on the stack
        self._aside: dict[Key, _Aside] = {}
        self._assumed: dict[Key, _Assumed] = {}
        self._entries: dict[tuple[str, Hashable], list[Any]] = {}
        self._counted: dict[Key, None] = {}
        self._chosen: dict[Key, Key] = {}
        self._work: dict[Key, Work] = {}  # of what is not final yet, in all its rounds
        self._count = 0  # of requests
        self._components = call_graph(program).components

    # The two ways through a program.

    def on_demand(self, root: str, entry: Any) -> Activation:
        """The activation of a procedure, and of all that it needs."""
        return self._solve(root, entry)

    def bottom_up(self, names: Iterable[str] | None = None) -> None:
        """Every procedure for unknown callers, callees first."""
        wanted = None if names is None else set(names)
        for component in self._components:
            for name in component:
                if wanted is None or name in wanted:
                    self._solve(name, None)

    def code(self, name: str) -> Code:
        found = self._codes.get(name)
        if found is None:
            found = self._codes[name] = Code(self.domain, self.program.procedures[name])
        return found

    def check(self, origin: ObligationId) -> Check:
        """The check of the program with this number."""
        found = self._checks.get(origin)
        if found is None:
            for block in self.program.procedures[origin.procedure].blocks:
                for step in block.steps:
                    if isinstance(step, Check):
                        self._checks[ObligationId(origin.procedure, step.number)] = step
            found = self._checks[origin]
        return found

    def key(self, name: str, entry: Any) -> Key:
        return name, entry

    def _is_known(self, key: Key) -> bool:
        return key in self.done or key in self._active or key in self._aside

    # The stack.

    def _solve(self, name: str, entry: Any) -> Activation:
        key = self.key(name, entry)
        if key in self.done:
            return self.done[key]
        self._push(key)
        reply: Reply | None = None
        while self._stack:
            frame = self._stack[-1]
            work = self._work.setdefault(frame.activation.key, Work())
            before = self.budget.spent
            why: str | None = None
            try:
                request = self._run(frame, reply)
            except StopIteration:
                work.spent += self.budget.spent - before
                reply = self._complete(frame)
                continue
            except GiveUp as reason:
                why = str(reason)
            work.spent += self.budget.spent - before
            # Here, where the exception does not hold what ran any more.
            reply = self._answer(frame, request) if why is None else self._stopped(frame, why)
        return self.done[key]

    def _stopped(self, frame: _Frame, why: str) -> Reply | None:
        """An activation came to a limit, or to something that cannot be followed."""
        activation = frame.activation
        if activation.states <= activation.patience:
            self._work[activation.key].keepable = False  # a clock may be behind it
        if why in (SLOW, LARGE) and self._coarser(frame):
            return None
        self._give_up(activation, why)
        return self._complete(frame)

    def _run(self, frame: _Frame, reply: Reply | None) -> Request:
        """Go on with an activation, within its share of the time."""
        activation = frame.activation
        self._turn(activation)
        begin = time.monotonic()
        try:
            return frame.running.send(reply)  # type: ignore[arg-type]
        finally:
            activation.seconds += time.monotonic() - begin
            activation.room = self.budget.room()
            if self.budget.is_overdue():
                self._work[activation.key].keepable = False

    def expect(self, names: Iterable[str]) -> None:
        """These procedures are to be done, each once: of the library's some may not be needed."""
        procedures = self.program.procedures
        self._expected = {n for n in names if n in procedures and not procedures[n].library}

    def _turn(self, activation: Activation) -> None:
        if self._expected:
            others = MOST_OF_LIBRARY if activation.procedure.library else 0
            expected = len(self._expected) + others
            self.budget.turn(expected, activation.seconds, activation.room, activation.shares)

    def _coarser(self, frame: _Frame) -> bool:
        """Start again an activation that takes too long, with less kept apart, if that goes."""
        activation = frame.activation
        if not isinstance(self.domain, Coarsening):
            return False
        entry = self.domain.coarser(activation.procedure, activation.entry)
        if entry is None:
            return False
        self._start_coarser(activation, entry)
        frame.running = self.explorer.explore(activation)
        return True

    def _start_coarser(self, activation: Activation, entry: Any) -> None:
        """It may take as much as one that starts, and more of the time: it is the last try."""
        activation.reset()
        activation.forget_states()
        activation.entry, activation.log = entry, None
        self.budget.tidy()
        activation.patience = activation.states + self.limits.patience_of(activation.procedure)
        activation.seconds, activation.room = 0.0, max(activation.room, ROOM // 2)
        activation.shares = LAST_SHARES

    def _push(self, key: Key) -> None:
        name, entry = key
        procedure = self.program.procedures[name]
        activation = Activation(procedure, entry, key, self.limits.patience_of(procedure))
        place = len(self._stack)
        self._active[key] = place
        self._stack.append(_Frame(activation, self._explored(activation), place))
        self.budget.on_event(Event(self.domain.name, name, len(self.done)))

    def _explored(self, activation: Activation) -> Generator[Request, Reply, None]:
        """Recall the activation from an earlier run, or explore it."""
        if self.recall is not None and activation.key[1] is None:
            if (yield from self.recall.recalled(activation)):
                return
            activation.reset()
        activation.code = self.code(activation.procedure.name)
        yield from self.explorer.explore(activation)

    def _answer(self, frame: _Frame, request: Request) -> Reply | None:
        """What is known for a request; None if the callee has been started instead."""
        key = self._context(request.callee.name, request)
        frame.activation.used[key] = None
        asker = request.by or frame.activation.key
        if self.recall is not None and request.by is None:
            self._count += 1
            self._work[frame.activation.key].asked.setdefault(key, (self._count, request))
        if key not in self.callers and key not in self._active:  # not by itself
            self.callers[key] = Caller(asker, request.site, request.node, request.sure)
        finished = self.done.get(key)
        if finished is not None:
            return self._reply(finished, request.entry)
        place = self._active.get(key)
        if place is not None:
            frame.low = min(frame.low, place)
            assumed = self._assumed.setdefault(key, _Assumed())
            assumed.used = True
            frame.activation.plain = False
            return Reply(self._binding(key[1], request), assumed.outcomes, assumed.needs)
        aside = self._aside.get(key)
        if aside is not None:
            frame.low = min(frame.low, aside.low)
            frame.activation.plain = False
            return self._reply(aside.activation, request.entry)
        frame.waiting = request
        self._push(key)
        return None

    def _binding(self, coverage: Any, request: Request) -> Any:
        binding = self.domain.match(coverage, request.entry)
        if binding is None:
            raise AssertionError(f"{request.callee.name}: a coverage that does not fit its entry")
        return binding

    def _context(self, name: str, request: Request) -> Key:
        """The entry that the callee is analysed for: this one, or one that covers it.

        Once chosen for an entry, it stays: the check of the result must see the same.
        """
        asked = self.key(name, request.entry)
        chosen = self._chosen.get(asked)
        if chosen is None:
            chosen = self._chosen[asked] = self._choose(name, request)
        return chosen

    def _choose(self, name: str, request: Request) -> Key:
        entry = request.entry
        library = request.callee.library
        most = self.limits.library_contexts if library else self.limits.contexts
        every = self._entries.setdefault((name, None), [])
        crowded = len(every) >= MOST_BUCKETS * most
        bucket = None if crowded else self.domain.bucket(request.callee, entry)
        entries = every if crowded else self._entries.setdefault((name, bucket), [])
        if len(entries) >= most:
            for known in reversed(entries):
                if self.domain.match(known, entry) is not None:
                    return self.key(name, known)
            entry = self.domain.widen_entry(entries[-1], entry)
        key = self.key(name, entry)
        if key not in self._counted:
            self._counted[key] = None
            entries.append(entry)
            if not crowded:
                every.append(entry)
        return key

    def _reply(self, activation: Activation, entry: Any) -> Reply:
        summary = activation.summary
        assert summary is not None
        binding = self.domain.match(summary.coverage, entry)
        if binding is None:
            name = activation.procedure.name
            raise AssertionError(f"{name}: a coverage that does not fit its entry")
        return Reply(binding, summary.outcomes, summary.needs)

    def _complete(self, frame: _Frame) -> Reply | None:
        """The exploration of the top of the stack has ended."""
        activation = frame.activation
        if activation.recalled:
            return self._complete_recalled(activation)
        place = len(self._stack) - 1
        summary = self._finished(activation)
        if isinstance(summary, Redo):
            if self._redo(frame, summary):
                return None
            self._give_up(activation, summary.reason)
            summary = self._nothing(activation)
        activation.summary = summary
        grew = self._grow(activation)
        key = activation.key
        if frame.low < place:
            self._set_aside(frame, grew)
            return self._resumed(key)
        members = [aside for aside in self._aside.values() if aside.low >= place]
        is_stable = not grew and not any(aside.grew for aside in members)
        if not is_stable and not self._gives_up(frame, members):
            self._again(frame, members)
            return None
        self._stack.pop()
        for aside in members:
            del self._aside[aside.activation.key]
        self._final([*(aside.activation for aside in members), activation])
        return self._resumed(key)

    def _complete_recalled(self, activation: Activation) -> Reply | None:
        assert self.recall is not None
        group = self.recall.groups.pop(activation.key)
        self._stack.pop()
        self.budget.spent += group.spent
        self.budget.look()
        for key, caller in group.callers.items():
            self.callers.setdefault(key, caller)
        self._final(group.activations)
        return self._resumed(activation.key)

    def _finished(self, activation: Activation) -> Summary[Any, Any] | Redo[Any]:
        if activation.given_up:
            return self._nothing(activation)
        try:
            found: Summary[Any, Any] | Redo[Any] = self.domain.finish(
                activation.procedure, activation.entry, list(activation.exits.values()),
                list(activation.needs), activation.log,
            )  # fmt: skip
        except GiveUp as reason:
            self._give_up(activation, str(reason))
            found = self._nothing(activation)
        return found

    def _give_up(self, activation: Activation, reason: str) -> None:
        activation.give_up(reason, self.domain.packs)

    def _nothing(self, activation: Activation) -> Summary[Any, Any]:
        """What may come of a procedure that nothing is known of: it never returns if no way in it
        leads to a return."""
        found: Summary[Any, Any] = self.domain.nothing_known(
            activation.procedure, activation.entry, activation.log
        )
        if 0 in returning_blocks(activation.procedure):
            return found
        kept = tuple(one for one in found.outcomes if one.exit is not Exit.RETURN)
        return replace(found, outcomes=kept)

    def _grow(self, activation: Activation) -> bool:
        """Let the assumption about an activation cover what was found, and be its summary."""
        assumed = self._assumed.get(activation.key)
        summary = activation.summary
        if assumed is None or not assumed.used or summary is None:
            return False
        joined = self.domain.join_answers(assumed.outcomes, summary.outcomes)
        needs = self.domain.join_needs(assumed.needs, summary.needs)
        grew = joined is not assumed.outcomes or needs is not assumed.needs
        assumed.outcomes, assumed.needs = joined, needs
        activation.summary = replace(summary, outcomes=joined, needs=needs)
        return grew

    def _set_aside(self, frame: _Frame, grew: bool) -> None:
        """It depends on one below it that is under way, and so do those that depend on it."""
        place = len(self._stack) - 1
        self._stack.pop()
        key = frame.activation.key
        del self._active[key]
        for aside in self._aside.values():
            if aside.low >= place:
                aside.low = frame.low
        self._aside[key] = _Aside(frame.activation, frame.low, grew)
        below = self._stack[-1]
        below.low = min(below.low, frame.low)

    def _gives_up(self, frame: _Frame, members: list[_Aside]) -> bool:
        """With one state at each block, a component that does not become stable costs only
        itself: nothing is known of it."""
        if not self.limits.single or frame.rounds < self.limits.iterations:
            return False
        for activation in (frame.activation, *(aside.activation for aside in members)):
            name = activation.procedure.name
            self._give_up(activation, f"the summary of {name} does not become stable")
            activation.summary = self._nothing(activation)
        return True

    def _again(self, frame: _Frame, members: list[_Aside]) -> None:
        """The head of a component whose assumptions grew is done once more."""
        frame.rounds += 1
        self.rounds += 1
        if frame.rounds > self.limits.iterations:
            name = frame.activation.procedure.name
            raise Exhausted(f"the summary of {name} does not become stable")
        for aside in members:
            del self._aside[aside.activation.key]
        frame.low = len(self._stack) - 1
        frame.running = self.explorer.explore(frame.activation)

    def _redo(self, frame: _Frame, redo: Redo[Any]) -> bool:
        """Start again with another entry, unless that was done too often."""
        frame.redos += 1
        if frame.redos > MOST_REDOS:
            if not self.limits.single:
                raise Exhausted(f"{frame.activation.procedure.name}: {redo.reason}")
            return False
        frame.activation.entry = redo.entry
        frame.running = self.explorer.explore(frame.activation)
        return True

    def _final(self, activations: list[Activation]) -> None:
        """The summaries of a component stay as they are."""
        for activation in activations:
            self._active.pop(activation.key, None)
            self._assumed.pop(activation.key, None)
            self.done[activation.key] = activation
            self._expected.discard(activation.procedure.name)
        if self.domain.packs and not activations[-1].recalled:
            before = self.budget.spent
            self._settle(activations)
            self._work[activations[-1].key].spent += self.budget.spent - before
            self._keep(activations)
        self.budget.rest()
        for activation in activations:
            assert activation.summary is not None
            bucket = self.domain.bucket(activation.procedure, activation.entry)
            self.table.add(activation.summary, bucket, activation.entry)

    def _keep(self, activations: list[Activation]) -> None:
        """Let later runs know what was found."""
        work = {one.key: self._work.pop(one.key, Work()) for one in activations}
        if self.recall is not None:
            self.recall.keep(activations, work, self.callers)

    def _settle(self, activations: list[Activation]) -> None:
        """Check the result of a component at once; what led to it is not needed any more."""
        wrong = next(filter(None, map(self.recheck, activations)), "")
        if wrong and len(activations) == 1:
            wrong = self._mend(activations[0])
            if wrong:
                wrong = self._compared_easily(activations[0], wrong)
        for activation in activations:
            if wrong:
                # Conditions are compared as far as that is easy: it may be one all the same.
                self._give_up(activation, f"the result was not confirmed ({wrong})")
                activation.summary = self._nothing(activation)
            activation.settle(self.domain.packed(activation.summary))

    def _resumed(self, key: Key) -> Reply | None:
        """The reply to whoever waits for the activation that is done."""
        if not self._stack:
            return None
        frame = self._stack[-1]
        request, frame.waiting = frame.waiting, None
        assert request is not None
        done = self.done.get(key)
        if done is None:
            frame.activation.plain = False
            done = self._aside[key].activation
        return self._reply(done, request.entry)

    def _mend(self, activation: Activation) -> str:
        """Let states grow until what follows from them is among them; what is still wrong."""
        try:
            self._answered(activation, self.explorer.mend(activation))
            summary = self._finished(activation)
        except GiveUp as reason:
            return str(reason)
        if isinstance(summary, Redo):
            return summary.reason
        activation.summary = summary
        return self.recheck(activation)

    def _compared_easily(self, activation: Activation, wrong: str) -> str:
        """Once more with less kept apart: that is easier to compare. What is still wrong."""
        coarsens = isinstance(self.domain, Coarsening)
        procedure = activation.procedure
        entry = self.domain.coarser(procedure, activation.entry) if coarsens else None
        if entry is None:
            return wrong
        self._start_coarser(activation, entry)
        self._turn(activation)
        try:
            summary = self._explored_again(activation)
            if isinstance(summary, str):
                return summary
            activation.summary = summary
            return self.recheck(activation) and self._mend(activation)
        except GiveUp as reason:
            return str(reason)
        finally:
            if self.budget.is_overdue():
                self._work[activation.key].keepable = False

    def _explored_again(self, activation: Activation) -> Summary[Any, Any] | str:
        """Explore an activation whose calls have their summaries; or why that does not go."""
        for _ in range(MOST_REDOS):
            missing = self._answered(activation, self.explorer.explore(activation))
            if missing:
                return str(missing)
            found = self._finished(activation)
            if not isinstance(found, Redo):
                return found
            activation.entry = found.entry
        return "its conditions are not settled"

    # The check of the result.

    def recheck(self, activation: Activation) -> str:
        """F(x) <= x with the final summaries; empty if it holds."""
        if activation.given_up or activation.settled:
            return ""
        spared = self.limits.single and not self.domain.packs
        if spared and activation.plain and not activation.lost:
            return ""  # what follows from its states was put there as it was
        used = dict(activation.used)
        found = self._answered(activation, self.explorer.recheck(activation))
        activation.used = used
        return str(found)

    def _answered(self, activation: Activation, running: Generator[Request, Reply, Any]) -> Any:
        """Run something through whose calls have their summaries."""
        reply: Reply | None = None
        while True:
            try:
                request = running.send(reply)  # type: ignore[arg-type]
            except StopIteration as done:
                return done.value
            key = self._context(request.callee.name, request)
            finished = self.done.get(key)
            if self.recall is not None and key not in self._work[activation.key].asked:
                # What there is depends on who asked before.
                self._work[activation.key].keepable = False
            if finished is None:
                return f"a call of {request.callee.name} has no summary"
            reply = self._reply(finished, request.entry)

    # What counts in the end.

    def reachable(self, roots: Iterable[Key]) -> list[Activation]:
        """The activations that the roots use, in a fixed order."""
        seen: dict[Key, None] = {}
        work = list(roots)
        while work:
            key = work.pop()
            if key in seen:
                continue
            seen[key] = None
            work.extend(self.done[key].used)
        return [activation for key, activation in self.done.items() if key in seen]
