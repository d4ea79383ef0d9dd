"""Jobs in processes of their own: a crash costs one job, and only bytes travel."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from types import FrameType
from typing import Final

_GOES_ON, _IS_WORN = b"+", b"-"
_WORN: Final = 512 << 20  # bytes a process may hold when it takes another job
_PATIENCE: Final = 2.0  # seconds for a process to end by itself


@dataclass(frozen=True, slots=True)
class Lost:
    """A job whose process ended, by a signal (else 0), or was stopped as it took too long."""

    signal: int = 0
    too_long: bool = False


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    job: int
    deadline: float


def answers(
    jobs: Sequence[bytes], processes: int, seconds: float
) -> Generator[tuple[int, bytes | Lost], None, None]:
    """Each job's number and answer, as they come; no job may take longer than `seconds`."""
    waiting = deque(range(len(jobs)))
    crew: dict[Connection, _Worker] = {}
    try:
        while waiting or crew:
            while waiting and len(crew) < processes:
                connection, process = _started()
                crew[connection] = _Worker(process, -1, 0)
                _give(crew[connection], connection, waiting.popleft(), jobs, seconds)
            soonest = min(worker.deadline for worker in crew.values())
            ready = wait(list(crew), max(0.0, soonest - time.monotonic()))
            for connection in list(crew):
                worker = crew[connection]
                if connection in ready:
                    number, answer, goes_on = worker.job, *_received(connection, worker)
                elif time.monotonic() >= worker.deadline:
                    number, answer, goes_on = worker.job, Lost(too_long=True), False
                else:
                    continue
                if goes_on and waiting:
                    _give(worker, connection, waiting.popleft(), jobs, seconds)
                else:
                    _stop(connection, crew.pop(connection))
                yield number, answer
    finally:
        for connection, worker in crew.items():
            _stop(connection, worker)


def _started() -> tuple[Connection, SpawnProcess]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    # An interrupt is for this process alone: it ends the others in order. Starting the tracker
    # would unblock the signal, so it is started first.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return ours, process


def _give(
    worker: _Worker, connection: Connection, number: int, jobs: Sequence[bytes], seconds: float
) -> None:
    worker.job = number
    worker.deadline = time.monotonic() + seconds
    # A process that is gone is noticed when its answer is awaited.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.send_bytes(jobs[number])


def _received(connection: Connection, worker: _Worker) -> tuple[bytes | Lost, bool]:
    try:
        content = connection.recv_bytes()
    except (EOFError, OSError):
        worker.process.join(_PATIENCE)
        return Lost(-min(worker.process.exitcode or 0, 0)), False
    return content[1:], content[:1] == _GOES_ON


def _stop(connection: Connection, worker: _Worker) -> None:
    connection.close()
    worker.process.terminate()
    worker.process.join(_PATIENCE)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


# In the process


def _serve(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        _answer_all(connection)
    finally:
        # It ends by itself now; an exception while Python shuts down would be shown to users.
        with contextlib.suppress(OSError):  # the signal comes just now
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _answer_all(connection: Connection) -> None:
    from precis.cli.check_task import answer
    from precis.engine.budget import resident

    while True:
        try:
            job = connection.recv_bytes()
        except (EOFError, OSError):
            return
        content = answer(job)
        worn = resident() > _WORN
        connection.send_bytes((_IS_WORN if worn else _GOES_ON) + content)
        if worn:
            return


def _leave(number: int, frame: FrameType | None) -> None:
    """As an exception, so that what this process started is ended too."""
    sys.exit(1)
