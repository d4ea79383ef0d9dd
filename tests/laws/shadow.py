"""A run of the referee beside an analysis: what the analysis says must hold in the run.

At the start of each basic block some state of each activation that covers the entry must
describe the memory. From there the states are taken from step to step with the run, by the
domain's own functions and the finished summaries; after each step one of them must describe the
memory. Obligations that a step depends on must not be "never met" if the step is done, nor "met"
if the run breaks there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from precis.domains.protocol import CallSite, Exit, GiveUp, ObligationId, Standing
from precis.engine.activation import Activation
from precis.engine.schedule import Schedule
from precis.interp import faults
from precis.interp.machine import Activation as Active
from precis.interp.machine import Machine
from precis.interp.memory import Block
from precis.interp.outcome import Inputs, Settings
from precis.interp.run import bounded
from precis.interp.shared import Shared
from precis.interp.steps import Mode
from precis.ir.instr import Call, Check, Step
from precis.ir.obligation import NotLost
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from tests.laws.moments import Began, Moment, Texts

MOST_STATES = 3  # taken along with a run, of each activation
Why = Callable[[Any, Any, Moment], str]


class Wrong(AssertionError):
    """The analysis says something that the run disproves; `states` are those before the step."""

    states: tuple[Any, ...] = ()


@dataclass(slots=True)
class _Frame:
    """An activation of the run, and the activations of the analysis that cover its entry, each
    with the states that cover the memory before the step at `place`."""

    procedure: Procedure
    began: Began
    place: tuple[int, int] = (0, 0)
    states: dict[int, list[Any]] = field(default_factory=dict)  # by place in `covering`
    covering: list[Activation] = field(default_factory=list)
    called: str = ""  # the procedure that a call under way went to
    opaque: bool = False  # the domain knows the call without looking into the procedure


@dataclass(slots=True)
class Tally:
    runs: int = 0
    blocks: int = 0
    steps: int = 0
    checks: int = 0
    broken: int = 0
    poisoned: int = 0


class _Poisoned(Exception):
    """The analysis gave up here: it says nothing beyond."""


class _NoSummary(Exception):
    """The states were merged with others before the call: no summary is for exactly this one."""


class Shadow:
    """One run. `step` is called before each of its steps."""

    def __init__(
        self, program: Program, schedule: Schedule, why_not: Why, machine: Machine, tally: Tally
    ) -> None:
        self.program = program
        self.schedule = schedule
        self.domain = schedule.domain
        self.why_not = why_not
        self.machine = machine
        self.tally = tally
        self.frames: list[_Frame] = []
        self.blocks: list[Block] = list(machine.globals)
        self.texts = Texts(program)
        self.active = True
        make = machine.memory.make

        def recorded(*arguments: Any, **named: Any) -> Block:
            block = make(*arguments, **named)
            self.blocks.append(block)
            return block

        machine.memory.make = recorded  # type: ignore[method-assign]
        machine.on_hit = self.hit
        machine.stop = 1

    def hit(self) -> None:
        self.machine.stop = self.machine.steps + 1
        if not self.active:
            self.machine.stop = -1
            return
        try:
            self._step(self.machine.activations_now())
        except (_Poisoned, GiveUp):
            self.tally.poisoned += 1
            self.active = False

    def _step(self, activations: tuple[Active, ...]) -> None:
        depth = len(activations)
        place = activations[0].place
        if depth > len(self.frames):
            if self.frames:
                self.frames[-1].called = activations[0].procedure.name
            opaque = bool(self.frames) and self._is_opaque(self.frames[-1])
            self.frames.append(self._entered(activations, opaque))
            self._arrived(self.frames[-1], activations)
            return
        returned = depth < len(self.frames)
        if returned:
            left = self.frames.pop()
            self._judged(left)
        frame = self.frames[-1]
        if place[1] == 0 and not returned:
            self._judged(frame)
            frame.place = place
            self._arrived(frame, activations)
        elif self._begins_group(frame.procedure, place):
            self._advance(frame, place, activations)

    def _begins_group(self, procedure: Procedure, place: tuple[int, int]) -> bool:
        """Checks and the step they stand before are one group."""
        block, index = place
        return index == 0 or not isinstance(procedure.blocks[block].steps[index - 1], Check)

    def _moment(self, frame: _Frame, activations: tuple[Active, ...]) -> Moment:
        return Moment(self.machine, activations, frame.began, self.blocks, frame.place, self.texts)

    def _is_opaque(self, frame: _Frame) -> bool:
        """Is the call that a frame waits for one that the domain knows by itself?"""
        if frame.opaque:
            return True
        block, index = frame.place
        steps = frame.procedure.blocks[block].steps
        while not isinstance(call := steps[index], Call):
            index += 1
        site = CallSite(frame.procedure.name, block, index)
        for number, activation in enumerate(frame.covering):
            for state in frame.states[number]:
                log = activation.log
                if self.domain.external(state, call, frame.called, site, log) is not None:
                    return True
        return False

    def _entered(self, activations: tuple[Active, ...], opaque: bool) -> _Frame:
        procedure = activations[0].procedure
        memory = self.machine.memory
        frame = _Frame(procedure, Began(memory.made, tuple(memory.heap)), opaque=opaque)
        if opaque:
            return frame
        moment = self._moment(frame, activations)
        reasons = []
        for activation in self.schedule.done.values():
            if activation.procedure.name != procedure.name:
                continue
            state, _ = self.domain.start(activation.procedure, activation.entry)
            reason = self.why_not(self.domain, state, moment)
            if reason:
                reasons.append(reason)
            else:
                frame.covering.append(activation)
        if not frame.covering:
            raise Wrong(f"no entry of {procedure.name} covers the call:\n" + _listed(reasons))
        return frame

    def _arrived(self, frame: _Frame, activations: tuple[Active, ...]) -> None:
        """At the start of a block."""
        self.tally.blocks += 1
        moment = self._moment(frame, activations)
        block = frame.place[0]
        for number, activation in enumerate(frame.covering):
            point = activation.points.get(block)
            nodes = [] if point is None else point.nodes()
            found: list[Any] = []
            reasons = []
            for node in nodes:
                reason = self.why_not(self.domain, node.state, moment)
                if not reason:
                    found.append(node.state)
                    if len(found) == MOST_STATES:
                        break
                reasons.append(reason)
            if not found:
                where = f"{frame.procedure.name} block {block} (of {len(nodes)} states)"
                if any(lost.procedure == frame.procedure.name for lost in activation.lost):
                    where += " [something was lost]"
                raise Wrong(f"no state covers {where}:\n" + _listed(reasons))
            frame.states[number] = found

    # From one group of steps to the next.

    def _group(self, frame: _Frame, last: int) -> tuple[list[Check], Step | None]:
        """The checks from the frame's place on, and the step before `last`, if it is one."""
        block, index = frame.place
        steps = frame.procedure.blocks[block].steps[index:last]
        checks = [step for step in steps if isinstance(step, Check)]
        rest = [step for step in steps if not isinstance(step, Check)]
        assert len(rest) <= 1
        return checks, rest[0] if rest else None

    def _advance(
        self, frame: _Frame, place: tuple[int, int], activations: tuple[Active, ...]
    ) -> None:
        self.tally.steps += 1
        block = frame.place[0]
        checks, step = self._group(frame, place[1])
        assert step is not None
        frame.place = place
        moment = self._moment(frame, activations)
        following = frame.procedure.blocks[block].steps[place[1] - 1]
        for number, activation in enumerate(frame.covering):
            found: list[Any] = []
            reasons: list[str] = []
            unknown = not frame.states[number]
            for state in frame.states[number]:
                before = self._passed(frame, activation, state, checks, following)
                try:
                    afters = self._effect(frame, activation, before, step, (block, place[1] - 1))
                except _NoSummary:
                    unknown = True
                    continue
                for after in afters:
                    reason = self.why_not(self.domain, after, moment)
                    if reason:
                        reasons.append(reason)
                    elif len(found) < MOST_STATES:
                        found.append(after)
            if not found and not unknown:
                name = type(step).__name__
                where = f"{frame.procedure.name} block {block} step {place[1] - 1} ({name})"
                wrong = Wrong(f"no state covers the memory after {where}:\n" + _listed(reasons))
                wrong.states = tuple(frame.states[number])
                raise wrong
            frame.states[number] = found
        frame.called = ""

    def _passed(
        self, frame: _Frame, activation: Activation, state: Any, checks: list[Check],
        following: Any,
    ) -> list[Any]:  # fmt: skip
        """The states after checks that the run has passed."""
        states = [state]
        for check in checks:
            self.tally.checks += 1
            origin = ObligationId(frame.procedure.name, check.number)
            after: list[Any] = []
            for each in states:
                judged = self.domain.judge(
                    each, check.obligation, following, origin, activation.log
                )
                if judged.standing is Standing.NEVER_MET:
                    raise Wrong(f"{origin} {check.obligation} was met in a run: {judged.why}")
                after.extend(judged.passed)
            states = after
        return states

    def _effect(
        self, frame: _Frame, activation: Activation, states: list[Any], step: Step,
        place: tuple[int, int],
    ) -> list[Any]:  # fmt: skip
        site = CallSite(frame.procedure.name, *place)
        found: list[Any] = []
        for state in states:
            if isinstance(step, Call):
                found.extend(self._call(frame, activation, state, step, site))
            else:
                effect = self.domain.prepare(frame.procedure, step, site)
                found.extend(effect(state, activation.log))
        return found

    def _call(
        self, frame: _Frame, activation: Activation, state: Any, call: Call, site: CallSite
    ) -> list[Any]:
        targets = self.domain.targets(state, call)
        if targets is None:
            raise _Poisoned
        if frame.called and frame.called not in targets:
            raise Wrong(f"{site} called {frame.called}, not one of {targets}")
        found: list[Any] = []
        for name in targets:
            if frame.called and name != frame.called:
                continue
            native = self.domain.external(state, call, name, site, activation.log)
            if native is not None:
                found.extend(native)
                continue
            callee = self.program.procedures[name]
            for entry, held in self.domain.enter(state, call, callee, site, activation.log):
                found.extend(self._answers(name, entry, held, activation))
        return found

    def _answers(self, name: str, entry: Any, held: Any, activation: Activation) -> list[Any]:
        """What each summary that covers the entry gives; one is enough to be followed."""
        found: list[Any] = []
        for done in self.schedule.done.values():
            summary = done.summary
            if done.procedure.name != name or summary is None:
                continue
            binding = self.domain.match(summary.coverage, entry)
            if binding is None:
                continue
            for outcome in summary.outcomes:
                if outcome.exit is Exit.RETURN:
                    found.extend(self.domain.resume(held, binding, outcome, activation.log))
            return found
        raise _NoSummary

    def _judged(self, frame: _Frame) -> None:
        """The checks before the end of a block, which the run has passed."""
        index = frame.place[1]
        block = frame.procedure.blocks[frame.place[0]]
        checks = [s for s in block.steps[index:] if isinstance(s, Check)]
        if any(not isinstance(s, Check) for s in block.steps[index:]):
            return  # left from within the block: the program ended
        for number, activation in enumerate(frame.covering):
            for state in frame.states[number]:
                self._passed(frame, activation, state, checks, block.end)

    # What a run ends in.

    def ended(self, stop: faults.Stop | None, activations: tuple[Active, ...]) -> None:
        """The run has ended; if it broke something, the analysis must not have shown it."""
        if not self.active or not isinstance(stop, faults.Broken | faults.Fault):
            return
        if len(activations) != len(self.frames) or not activations:
            return
        self.tally.broken += 1
        frame = self.frames[-1]
        block, index = activations[0].place
        items = frame.procedure.blocks[block].steps
        last = index
        while last < len(items) and isinstance(items[last], Check):
            last += 1
        following = items[last] if last < len(items) else frame.procedure.blocks[block].end
        first = frame.place[1]
        checks = [step for step in items[first : last + 1] if isinstance(step, Check)]
        for number, activation in enumerate(frame.covering):
            for state in frame.states[number]:
                self._in_doubt(frame, activation, state, checks, following, stop)

    def _in_doubt(
        self, frame: _Frame, activation: Activation, state: Any, checks: list[Check],
        following: Any, stop: faults.Stop,
    ) -> None:  # fmt: skip
        for check in checks:
            if isinstance(check.obligation, NotLost):
                continue
            origin = ObligationId(frame.procedure.name, check.number)
            judged = self.domain.judge(state, check.obligation, following, origin, activation.log)
            if judged.standing is not Standing.MET:
                known = {o for o, _ in activation.found} | {n.origin for n in activation.needs}
                if origin not in known:
                    raise Wrong(f"{origin} {check.obligation} is broken and was not recorded")
                return
        names = [str(check.obligation) for check in checks]
        raise Wrong(f"{frame.procedure.name} {frame.place}: {stop!r} but all are met: {names}")


def _listed(reasons: list[str]) -> str:
    unique = list(dict.fromkeys(reasons))
    return "\n".join(f"  - {reason}" for reason in unique[:6])


def follow(
    program: Program, schedule: Schedule, why_not: Why, inputs: Inputs, settings: Settings,
    shared: Shared, tally: Tally, most_steps: int,
) -> None:  # fmt: skip
    """Run the program on these inputs beside the analysis; raises Wrong."""
    machine = Machine(
        program, inputs, settings, Mode.COUNTED, lambda descriptor, content: None, shared=shared
    )
    shadow = Shadow(program, schedule, why_not, machine, tally)
    problem: list[Wrong] = []
    step = shadow.hit

    def hit() -> None:
        if machine.steps > most_steps:
            raise faults.Arrived
        try:
            step()
        except Wrong as wrong:
            problem.append(wrong)
            raise faults.Arrived from wrong

    machine.on_hit = hit
    tally.runs += 1
    ended = bounded(machine, settings.timeout)
    if problem:
        raise problem[0]
    shadow.ended(ended.stop, ended.activations)
