"""The kinds of error a user can meet; everything else is a bug of ours.

The command line turns each into its message and exit status: `InputError` 2, `ToolError` 3.
"""

from __future__ import annotations


class PrecisError(Exception):
    """The base of the errors that are messages, not bugs."""


class InputError(PrecisError):
    """The program or the options are at fault.

    `file` and `line` say where, if a place is known; `advice` says what to do about it.
    """

    def __init__(
        self, message: str, *, file: str = "", line: int = 0, column: int = 0, advice: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.advice = advice

    def __str__(self) -> str:
        place = self.file
        if self.file and self.line:
            place += f":{self.line}" + (f":{self.column}" if self.column else "")
        head = f"{place}: {self.message}" if place else self.message
        return f"{head}\n  {self.advice}" if self.advice else head


class ToolError(PrecisError):
    """Something Precis relies on failed: libclang, a solver, the disk."""

    def __init__(self, tool: str, message: str) -> None:
        super().__init__(f"{tool}: {message}")
        self.tool = tool
        self.message = message
