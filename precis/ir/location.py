"""Places in source text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A source range: where it begins and, if known, where it ends (else zeros).

    Text that comes out of a macro is placed where the macro is used; `macro` names it, and
    for text that was an argument of the macro `argument` is the place of that text, as
    (line, column) in the same file, else (0, 0).
    """

    file: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    macro: str = ""
    argument: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        )


NOWHERE = Location("", 0)
