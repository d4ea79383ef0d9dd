"""Limits, cancellation and progress of a check."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from precis.domains.protocol import GiveUp


class Exhausted(Exception):
    """A limit was reached; the text says which, and how to raise it."""


class Cancelled(Exception):
    """The user or the caller no longer wants the result."""


@dataclass(frozen=True, slots=True)
class Event:
    """Progress: which stage, in which procedure, how much so far."""

    stage: str
    text: str
    done: int = 0
    total: int = 0


def _ignore(event: Event) -> None:
    pass


_OWN: Final = Path("/proc/self/statm")
LOOK: Final = 256  # states between two looks at the clock
SHARES: Final = 2  # of the time for each procedure that one of them may take
LAST_SHARES: Final = 4  # the same where nothing coarser is left to try
SLOW: Final = "this procedure takes too long"
LARGE: Final = "this procedure takes too much memory"
ROOM: Final = 256 << 20  # bytes that one procedure may take
WHOLE: Final = 352 << 20  # bytes of the process, beyond which one may take a quarter as much
GRAIN: Final = 32 << 20  # bytes that are worth looking for memory that is not used any more


@dataclass(slots=True)
class Budget:
    """What an analysis may use. `spend` is called for each state that is looked at."""

    seconds: float | None = None
    states: int | None = None
    memory: int | None = None  # bytes of the whole process
    on_event: Callable[[Event], None] = _ignore
    cancelled: Callable[[], bool] = lambda: False
    look_every: int = LOOK  # states
    spent: int = 0
    started: float = field(default_factory=time.monotonic)
    due: float | None = None  # when the procedure that runs must be done
    ceiling: int | None = None  # bytes of the whole process that it may not get beyond
    floor: int | None = None  # bytes of the whole process when nothing ran
    overdue: bool = False

    def spend(self, states: int = 1) -> None:
        """Raises Exhausted or Cancelled."""
        before = self.spent
        self.spent += states
        if self.states is not None and self.spent > self.states:
            raise Exhausted(f"the limit of {self.states:,} states is reached")
        if before // self.look_every != self.spent // self.look_every:
            self.look()

    def look(self) -> None:
        if self.cancelled():
            raise Cancelled("cancelled")
        if self.seconds is not None and time.monotonic() - self.started > self.seconds:
            raise Exhausted("the time is used up (--timeout)")
        if self.due is not None and time.monotonic() > self.due:
            self.overdue = True
            raise GiveUp(SLOW)
        if self.ceiling is not None and resident() > self.ceiling:
            give_back()
            if resident() > self.ceiling - GRAIN:
                self.overdue = True
                raise GiveUp(LARGE)
        if self.memory is not None and resident() > self.memory:
            raise Exhausted(f"the memory of {self.memory >> 20} MB is used up (--memory)")

    def turn(self, procedures: int, used: float, room: int = ROOM, shares: int = SHARES) -> None:
        """One of so many procedures that are left goes on, which has used some seconds and may
        take so many bytes more. It may take a few times its share of the time that is left, and at
        most half of that, or two thirds: one that is too expensive costs itself, not those that
        come after it, and can be done again coarser."""
        here = resident()
        if self.floor is None:
            self.floor = here
        self.ceiling = min(here + room, max(WHOLE, here + ROOM // 4))
        left = self.left()
        if left is not None:
            part = min(shares / max(procedures, 1), shares / (shares + 2))
            self.due = time.monotonic() - used + (left + used) * part

    def room(self) -> int:
        """How many bytes the procedure that runs may still take."""
        return ROOM if self.ceiling is None else self.ceiling - resident()

    def rest(self) -> None:
        """A procedure is done: what it took beyond its result is given back."""
        if self.tidy():
            self.floor = resident()

    def tidy(self) -> bool:
        """Give back what was dropped, if that is worth it."""
        if self.floor is None or resident() <= self.floor + GRAIN:
            return False
        give_back()
        return True

    def is_overdue(self) -> bool:
        """Was the procedure that ran stopped by the clock, or for its memory? It has no limit any
        more."""
        found, self.overdue, self.due, self.ceiling = self.overdue, False, None, None
        return found

    def left(self) -> float | None:
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    def share(self, part: float, states: int | None = None, look_every: int = LOOK) -> Budget:
        """A part of the time that is left, so many states, and the same other limits."""
        left = self.left()
        seconds = None if left is None else left * part
        states = self.states if states is None else states
        return Budget(seconds, states, self.memory, self.on_event, self.cancelled, look_every)


def give_back() -> None:
    """What is not used any more goes back to the system."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """The C library keeps what was freed, unless it is told otherwise."""
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
    return found


def resident() -> int:
    """Bytes of memory this process holds; 0 where that cannot be told."""
    try:
        with _OWN.open("rb", buffering=0) as file:
            return int(file.read().split()[1]) * 4096
    except (OSError, ValueError, IndexError):
        return 0
