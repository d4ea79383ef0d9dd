"""What Predator says of a program, sorted: errors, what is none, and where it gave up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Kind(Enum):
    """What an error is about; the properties of Precis that it breaks."""

    MEMORY = ("memory-safety",)
    LEAK = ("leaks", "cleanup")  # Predator does not tell them apart
    REACHED = ("assertions",)


@dataclass(frozen=True, slots=True)
class Error:
    kind: Kind
    line: int

    def __str__(self) -> str:
        return f"{self.kind.name.lower()} at line {self.line}"


@dataclass(frozen=True, slots=True)
class Expected:
    """The errors of a program; if Predator gave up somewhere, there may be others."""

    errors: tuple[Error, ...] = ()
    gave_up: str = ""  # the first message that is neither an error nor harmless

    def __str__(self) -> str:
        if not self.errors:
            return f"unknown ({self.gave_up})" if self.gave_up else "correct"
        places: dict[Kind, list[int]] = {}
        for error in self.errors:
            places.setdefault(error.kind, []).append(error.line)
        return ", ".join(
            f"{kind.name.lower()} at {', '.join(map(str, sorted(set(lines))))}"
            for kind, lines in places.items()
        )

    @property
    def properties(self) -> tuple[str, ...]:
        """Those that the errors break."""
        kinds = dict.fromkeys(error.kind for error in self.errors)
        return tuple(name for kind in kinds for name in kind.value)


_MESSAGE: Final = re.compile(r"[^:]+:(\d+):(?:\d+:)? (error|warning|note): (.*)")
_ERRORS: Final = (
    (re.compile(r"memory leak detected"), Kind.LEAK),
    (re.compile(r"dereferenc|invalid L-value"), Kind.MEMORY),
    (re.compile(r"double free|invalid (free|realloc)|attempt to free"), Kind.MEMORY),
    (re.compile(r"\(\) called (with offset|on non-pointer value)"), Kind.MEMORY),
    (re.compile(r"insufficient count of arguments given to printf"), Kind.MEMORY),
    (re.compile(r"_error\(\) reached|assertion failed"), Kind.REACHED),
)
_HARMLESS: Final = re.compile(
    r"end of function .* has not been reached"  # such as that of an endless loop
    r"|ignoring call of undefined function"
    r"|ignoring call of memset\(\) with size == 0"
    r"|too many arguments given to printf"
    r"|conditional jump depends on uninitialized value"
    r"|unreachable label"
)


def expected(text: str) -> Expected:
    """What a file of Predator's output says.

    A line is `FILE:LINE: error|warning|note: MESSAGE`; notes explain the line before them.
    """
    errors: dict[Error, None] = {}
    gave_up = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        message = _MESSAGE.fullmatch(line)
        if message is None:
            gave_up = gave_up or line
            continue
        number, severity, said = message.groups()
        if severity == "note":
            continue
        kind = next((kind for form, kind in _ERRORS if form.search(said)), None)
        if kind is not None:
            errors[Error(kind, int(number))] = None
        elif not _HARMLESS.search(said):
            gave_up = gave_up or said
    return Expected(tuple(errors), gave_up)
