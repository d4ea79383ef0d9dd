"""Many short runs of one program: how each ends, where it gets to, what it asks for.

A probe is a run without the trouble of a report. A violation that is worth one is run again
with `Prober.outcome`, which gives all that `run` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from precis.interp import faults
from precis.interp.choose import Answer
from precis.interp.code import Place
from precis.interp.leaks import Found, first_loss, lost_blocks, watch
from precis.interp.machine import Ended, Machine
from precis.interp.outcome import Chosen, Ending, Inputs, Natives, Outcome, Settings
from precis.interp.report import violation_of
from precis.interp.run import bounded, run
from precis.interp.shared import Shared
from precis.interp.steps import Mode
from precis.ir.location import Location
from precis.ir.procedure import Procedure
from precis.ir.program import Program

MOST_FRAMES = 5_000  # active procedures
AUDIT_FACTOR = 10  # steps that models take, for one with natives
MOST_LOCATED = 6  # losses of blocks made at one place that are followed to their exact step


@dataclass(frozen=True, slots=True)
class Breach:
    """What was violated and exactly where."""

    rule: str
    inner: Location


class Comparison(NamedTuple):
    """A condition and the numbers that it compared; a switch compares its value with 0."""

    procedure: Procedure
    place: Place
    x: int | float
    y: int | float


@dataclass(frozen=True, slots=True)
class Probe:
    """`inputs` repeat the run without asking for more. `reached` has a one in the byte of each
    block of the program that the run got to. A violation without a breach is one more of a kind
    of loss that has been located often enough."""

    inputs: Inputs
    ending: Ending
    breach: Breach | None
    chosen: tuple[Chosen, ...]
    reached: bytes
    steps: int
    allocations: int
    asked_input: bool


class Prober:
    """Runs a program again and again."""

    def __init__(self, program: Program, settings: Settings, most_steps: int) -> None:
        self.program = program
        self.settings = settings
        self.most_steps = most_steps
        self.shared = Shared(program)
        self._located: dict[Location, int] = {}

    def probe(self, inputs: Inputs, more: Answer | None, seconds: float | None) -> Probe:
        """A run; `more` answers when the values are used up, else the run ends there."""
        machine = self._machine(inputs, Mode.WATCHED)
        if more is not None:
            machine.chooser.more = more
        watch(machine)
        ended = bounded(machine, seconds)
        used = replace(
            inputs,
            values=tuple(chosen.value for chosen in machine.chooser.chosen),
            stdin=bytes(machine.stdin_read),
        )
        ending, breach = self._judged(machine, ended, used, seconds)
        return Probe(
            used,
            ending,
            breach,
            tuple(machine.chooser.chosen),
            bytes(machine.reached),
            machine.steps,
            machine.allocations,
            machine.asked_input,
        )

    def exact_probe(self, inputs: Inputs, seconds: float | None) -> Probe:
        """A run on these inputs and no others, with the exact step if it loses a block."""
        self._located.clear()
        return self.probe(inputs, None, seconds)

    def comparisons(self, inputs: Inputs, seconds: float | None) -> tuple[list[Comparison], int]:
        """What the conditions on the way of a run compare, in order; and its steps."""
        machine = self._machine(inputs, Mode.COMPARED)
        bounded(machine, seconds)
        places = machine.compiler.codes.comparisons
        found = [Comparison(*places[number], x, y) for number, x, y in machine.compared]
        return found, machine.steps

    def is_only_run(self, inputs: Inputs, seconds: float | None) -> bool:
        """Does every run of the program do what this one does, to its end?"""
        settings = replace(self.settings, natives=Natives.MODELS_ONLY)
        try:
            machine = self._machine(inputs, Mode.AUDITED, settings)
        except faults.Refused:  # the globals start with something that differs between runs
            return False
        machine.most_steps = AUDIT_FACTOR * self.most_steps
        ended = bounded(machine, seconds)
        return ended.stop is None or isinstance(ended.stop, faults.Exit)

    def is_reached(self, reached: int, procedure: Procedure, block: int) -> bool:
        """Is the block among those of `Probe.reached`, taken as a number?"""
        return bool(reached >> 8 * (self.shared.first[procedure.name] + block) & 1)

    def outcome(self, inputs: Inputs, seconds: float | None) -> Outcome:
        """The run in full."""
        settings = replace(self.settings, timeout=seconds)
        return run(self.program, inputs, settings, _ignore, shared=self.shared)

    def _machine(self, inputs: Inputs, mode: Mode, settings: Settings | None = None) -> Machine:
        given = settings or self.settings
        machine = Machine(self.program, inputs, given, mode, _ignore, shared=self.shared)
        machine.most_steps = self.most_steps
        machine.most_frames = min(machine.most_frames, MOST_FRAMES)
        return machine

    def _judged(
        self, machine: Machine, ended: Ended, used: Inputs, seconds: float | None
    ) -> tuple[Ending, Breach | None]:
        if machine.memory.exposing and not isinstance(ended.stop, faults.OutOfTime):
            lost = ended.stop.numbers if isinstance(ended.stop, Found) else None
            lost = lost or lost_blocks(machine, ended.activations)
            if lost:
                return self._loss(machine, ended, lost, used, seconds)
        match ended.stop:
            case None | faults.Exit():
                return Ending.EXIT, None
            case faults.Broken() | faults.Fault():
                violation = violation_of(machine, ended, ())
                if violation.property in self.settings.properties:
                    return Ending.VIOLATION, Breach(violation.rule, violation.inner)
                return Ending.UNDEFINED, None
            case faults.AssumeFailed():
                return Ending.ASSUME_FAILED, None
            case faults.NoValue():
                return Ending.NO_VALUE, None
            case faults.OutOfMemory():
                return Ending.OUT_OF_MEMORY, None
            case faults.NotSupported():
                return Ending.UNSUPPORTED, None
            case faults.OutOfTime():
                return Ending.OUT_OF_TIME, None
            case _:
                return Ending.UNDEFINED, None

    def _loss(
        self,
        machine: Machine,
        ended: Ended,
        lost: frozenset[int],
        used: Inputs,
        seconds: float | None,
    ) -> tuple[Ending, Breach | None]:
        made = machine.memory.heap[min(lost)].made
        self._located[made] = self._located.get(made, 0) + 1
        if self._located[made] > MOST_LOCATED:
            return Ending.VIOLATION, None
        loss = first_loss(
            machine,
            ended,
            lambda mode: self._machine(used, mode),
            lambda other: bounded(other, seconds),
        )
        if loss is None:
            return Ending.OUT_OF_TIME, None
        inner = loss.activations[0].at
        return Ending.VIOLATION, Breach("memory-leak", inner)


def _ignore(descriptor: int, content: bytes) -> None:
    pass
