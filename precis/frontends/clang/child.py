"""Work in a child process, under limits.

A parser written in C++ can crash on hostile input, run for ever or take all memory. In a child
of its own it costs one answer. The child works in a thread with a large stack, since both the
parser and the walk over its tree may recurse as deeply as the input nests.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import resource
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

_STACK: Final = 1 << 30
_RECURSION: Final = 400_000  # frames; at this depth the stack above is not exhausted
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 120.0
    megabytes: int = 4096


class Ending(Enum):
    """How the work ended."""

    DONE = "done"
    REFUSED = "refused"  # an error of the input, in the answer
    BROKEN = "broken"  # an exception; the answer is its traceback
    CRASHED = "crashed"
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True, slots=True)
class Answer:
    ending: Ending
    content: bytes
    signal: int = 0


class Refused(Exception):
    """Raised by the work to end with REFUSED and this content."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


def run(work: Callable[[], bytes], limits: Limits) -> Answer:
    """Do `work` in a child and wait for its answer."""
    sys.stdout.flush()
    sys.stderr.flush()
    read_end, write_end = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(read_end)
        _be_the_child(work, write_end, limits)
    os.close(write_end)
    try:
        content = _received(read_end, time.monotonic() + limits.seconds)
        if content is None:
            os.kill(process, signal.SIGKILL)
    except BaseException:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise
    finally:
        os.close(read_end)
    _, status = os.waitpid(process, 0)
    if content is None:
        return Answer(Ending.OUT_OF_TIME, b"")
    if os.WIFSIGNALED(status):
        killed_by = os.WTERMSIG(status)
        ending = Ending.OUT_OF_TIME if killed_by == signal.SIGXCPU else Ending.CRASHED
        return Answer(ending, b"", killed_by)
    return _parsed(content)


_TAGS: Final = {
    b"D": Ending.DONE,
    b"R": Ending.REFUSED,
    b"B": Ending.BROKEN,
    b"M": Ending.OUT_OF_MEMORY,
}


def _parsed(content: bytes) -> Answer:
    ending = _TAGS.get(content[:1], Ending.CRASHED)
    return Answer(ending, content[1:])


def _received(descriptor: int, deadline: float) -> bytes | None:
    """All that the child writes, or None if time runs out."""
    chunks: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return None
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)


def _be_the_child(work: Callable[[], bytes], write_end: int, limits: Limits) -> None:
    """Never returns."""
    try:
        gc.disable()  # a short life, and little garbage
        _restrict(limits)
        answer: list[bytes] = []
        sys.setrecursionlimit(_RECURSION)
        threading.stack_size(_STACK)
        worker = threading.Thread(target=lambda: answer.append(_answer(work)))
        worker.start()
        worker.join()
        _write_all(write_end, answer[0] if answer else b"M")
    except MemoryError:
        _write_all(write_end, b"M")
    finally:
        os._exit(0)


def _restrict(limits: Limits) -> None:
    os.environ["LIBCLANG_NOTHREADS"] = "1"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(limits.seconds) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    size = (limits.megabytes << 20) + _STACK + _used_bytes()
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    faulthandler.disable()
    # A crashing libclang writes to standard error; the parent reports it instead.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _used_bytes() -> int:
    """The address space that the process has before it starts to work."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:  # no such file outside Linux
        return _STACK
    return pages * resource.getpagesize()


def _answer(work: Callable[[], bytes]) -> bytes:
    try:
        return b"D" + work()
    except Refused as refused:
        return b"R" + refused.content
    except MemoryError:
        return b"M"
    except BaseException:
        return b"B" + traceback.format_exc(limit=-30).encode()


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
