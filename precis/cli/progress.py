"""One line on the terminal that says what goes on; nothing where there is no terminal."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

from precis.engine.budget import Event
from precis.reports.metrics import cell_width
from precis.reports.terminal import safe

_PAUSE: Final = 0.1  # seconds between two changes
_ERASE: Final = "\r\x1b[K"


class Progress:
    """`write` puts text on the terminal; None if there is none."""

    __slots__ = ("_clock", "_next", "_shown", "_width", "_write")

    def __init__(
        self,
        write: Callable[[str], None] | None,
        width: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._width = width
        self._clock = clock
        self._next = 0.0
        self._shown = False

    def show(self, text: str) -> None:
        if self._write is None or self._clock() < self._next:
            return
        self._next = self._clock() + _PAUSE
        self._shown = True
        self._write(_ERASE + _cut(safe(text), self._width - 1))

    def clear(self) -> None:
        """Take the line away, before anything else is written."""
        if self._write is not None and self._shown:
            self._write(_ERASE)
            self._shown = False

    def of_program(self, program: str) -> Callable[[Event], None]:
        """What tells of the analysis of one program."""

        def tell(event: Event) -> None:
            count = f" {event.done}/{event.total}" if event.total else ""
            self.show(f"{program}: {event.stage}{count} {event.text}")

        return tell


def of_terminal(stream: TextIO) -> Progress:
    """A line of this stream, if it is a terminal."""

    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    return Progress(write if stream.isatty() else None, shutil.get_terminal_size().columns)


def _cut(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += cell_width(character)
        if used > width:
            return text[:index]
    return text
