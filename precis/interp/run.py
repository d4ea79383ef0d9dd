"""Running a program.

The first run is the fast one. If it breaks an obligation, the run is done again in traced
mode for the last steps before the violation: a run depends on its inputs alone, so both end
in the same way.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from precis.errors import InputError
from precis.interp import faults
from precis.interp.leaks import Found, Loss, first_loss, watch
from precis.interp.machine import Ended, Machine, Output, Read
from precis.interp.outcome import (
    BlockStory,
    Chosen,
    Ending,
    Frame,
    Inputs,
    Malloc,
    Natives,
    Outcome,
    Settings,
    TraceStep,
    Violation,
)
from precis.interp.report import describe, trace_of, user_place, violation_of
from precis.interp.shared import Shared
from precis.interp.steps import Mode
from precis.ir.program import Program

__all__ = [
    "BlockStory",
    "Chosen",
    "Ending",
    "Frame",
    "Inputs",
    "Malloc",
    "Natives",
    "Outcome",
    "Settings",
    "TraceStep",
    "Violation",
    "run",
]


def run(
    program: Program,
    inputs: Inputs,
    settings: Settings,
    output: Output,
    read: Read | None = None,
    shared: Shared | None = None,
) -> Outcome:
    """Run `program`, which already holds its checks.

    Output goes to `output` as (descriptor, bytes); with `inputs.stdin` None, `read` is asked
    for at most so many bytes of input, and gives none at the end. Runs of one program that
    are given the same `shared` compile it once.
    """
    if program.entry not in program.procedures:
        raise InputError(f"the program has no procedure {program.entry or 'main'} to start at")
    start = time.monotonic()
    shared = shared if shared is not None else Shared(program)
    machine = Machine(program, inputs, settings, Mode.FAST, output, read, shared)
    watch(machine)
    ended = bounded(machine, settings.timeout)
    again = replace(inputs, stdin=bytes(machine.stdin_read))
    rest = None if settings.timeout is None else settings.timeout + time.monotonic() - start

    def replay(mode: Mode) -> Machine:
        return Machine(program, again, settings, mode, _ignore, shared=shared)

    if "leaks" in settings.properties:
        loss = first_loss(machine, ended, replay, lambda other: bounded(other, rest))
        if loss is not None:
            return _lost(machine, loss)
    trace: tuple[TraceStep, ...] = ()
    if isinstance(ended.stop, faults.Broken | faults.Fault):
        second = replay(Mode.TRACED)
        repeated = bounded(second, rest)
        if type(repeated.stop) is type(ended.stop):
            trace = trace_of(second)
    return _outcome(machine, ended, trace)


def _ignore(descriptor: int, content: bytes) -> None:
    pass


def bounded(machine: Machine, timeout: float | None) -> Ended:
    """Execute within the time; Python's stack of plain functions stays shallow."""
    if timeout is None:
        return machine.execute()
    with _alarm(machine, timeout):
        return machine.execute()


@contextmanager
def _alarm(machine: Machine, timeout: float) -> Iterator[None]:
    """Raise OutOfTime in the run when the time is over.

    Signals reach the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        with _watchdog(machine, timeout):
            yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        if not machine.is_over:
            raise faults.OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(timeout, 0.001), 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _watchdog(machine: Machine, timeout: float) -> Iterator[None]:
    """For threads that no signal reaches: a timer raises the exception in them."""
    target = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def ring() -> None:
        if not machine.is_over:
            raise_in(target, ctypes.py_object(faults.OutOfTime))

    timer = threading.Timer(timeout, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _outcome(machine: Machine, ended: Ended, trace: tuple[TraceStep, ...]) -> Outcome:
    stop = ended.stop
    at = user_place(ended.activations) if ended.activations else None
    match stop:
        case None | faults.Exit():
            return _result(machine, Ending.EXIT, "", status=ended.status)
        case faults.Broken() | faults.Fault():
            violation = violation_of(machine, ended, trace)
            if violation.property in machine.settings.properties:
                return _result(machine, Ending.VIOLATION, violation.message, violation=violation)
            reason = f"{violation.message} ({violation.rule}), which is not checked"
            return replace(
                _result(machine, Ending.UNDEFINED, reason, violation=violation), at=violation.at
            )
        case faults.AssumeFailed():
            ending, reason = Ending.ASSUME_FAILED, "an assumption does not hold"
        case faults.OutOfTime() | Found():
            ending, reason = Ending.OUT_OF_TIME, "out of time"
        case faults.OutOfMemory(reason=what):
            ending, reason = Ending.OUT_OF_MEMORY, f"out of {what}"
        case faults.NotSupported(reason=reason):
            ending = Ending.UNSUPPORTED
        case faults.NoValue():
            ending, reason = Ending.NO_VALUE, "the given values are used up"
        case faults.Undefined(reason=reason):
            ending = Ending.UNDEFINED
        case _:
            raise AssertionError(stop)
    return replace(_result(machine, ending, reason), at=at)


def _result(
    machine: Machine,
    ending: Ending,
    reason: str,
    *,
    status: int = 0,
    violation: Violation | None = None,
) -> Outcome:
    return Outcome(
        ending,
        status,
        violation,
        reason,
        violation.at if violation is not None else None,
        machine.steps,
        tuple(machine.chooser.chosen),
        bytes(machine.stdin_read),
    )


def _lost(machine: Machine, loss: Loss) -> Outcome:
    text = f"the last pointer to {loss.block.size} bytes from {loss.block.made} is lost"
    violation = describe(
        loss.machine, loss.activations, "memory-leak", text, loss.block, trace_of(loss.machine)
    )
    result = _result(machine, Ending.VIOLATION, text, violation=violation)
    return replace(result, steps=loss.step)
