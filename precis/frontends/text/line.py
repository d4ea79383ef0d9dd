"""One line of printed IR as a row of tokens, and the plain things read from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn

from precis.errors import InputError
from precis.ir.location import NOWHERE, Location
from precis.ir.notation import unquoted, unquoted_bytes
from precis.ir.types import BitRange

_TOKEN: Final = re.compile(
    r"""
    \s+ | //.*
    | (?P<token>
        b?"(?:[^"\\]|\\.)*"
        | -?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)?
        | [%&$]\d+
        | [A-Za-z_][A-Za-z0-9_]*
        | \.\.\. | \.\. | \.\+ | \.- | -> | << | >> | <= | == | != | && | \|\|
        | [-+*/%&|^~!<>=.,:;?@\#()\[\]{}]
    )
    | (?P<other>.)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_WHOLE: Final = re.compile(r"-?\d+", re.ASCII)
_WORD: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
END: Final = ""  # what `peek` gives after the last token


class Line:
    """The tokens that are not read yet. What does not fit is an InputError at this line."""

    __slots__ = ("_file", "_next", "_tokens", "number")

    def __init__(self, text: str, file: str, number: int) -> None:
        self._file = file
        self.number = number
        self._next = 0
        self._tokens: list[str] = []
        for match in _TOKEN.finditer(text):
            if match["other"]:
                self.fail(f"unexpected character {match['other']!a}")
            if match["token"]:
                self._tokens.append(match["token"])

    def fail(self, message: str) -> NoReturn:
        raise InputError(message, file=self._file or "<text>", line=self.number)

    def peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else END

    def next(self) -> str:
        token = self.peek()
        self._next += 1
        return token

    def take(self, token: str) -> bool:
        """Read this token if it is the next one."""
        if self.peek() != token:
            return False
        self._next += 1
        return True

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(f"expected {token!r}, found {self._found()}")

    def finish(self) -> None:
        if self.peek() != END:
            self.fail(f"unexpected {self._found()}")

    def _found(self) -> str:
        return repr(self.peek()[:40]) if self.peek() != END else "the end of the line"

    def word(self) -> str:
        if not _WORD.fullmatch(self.peek()):
            self.fail(f"expected a word, found {self._found()}")
        return self.next()

    def name(self) -> str:
        return self.text() if self.peek().startswith('"') else self.word()

    def text(self) -> str:
        if not self.peek().startswith('"'):
            self.fail(f"expected a text in quotes, found {self._found()}")
        try:
            return unquoted(self.next())
        except (ValueError, OverflowError) as error:
            self.fail(str(error))

    def bytes(self) -> bytes:
        try:
            return unquoted_bytes(self.next())
        except ValueError as error:
            self.fail(str(error))

    def integer(self) -> int:
        if not _WHOLE.fullmatch(self.peek()):
            self.fail(f"expected a whole number, found {self._found()}")
        return int(self.next())

    def numbered(self, sign: str, what: str) -> int:
        """The number of a token such as %3, &2, b1."""
        token = self.peek()
        if not (token.startswith(sign) and token[1:].isdecimal()):
            self.fail(f"expected {what}, found {self._found()}")
        self._next += 1
        return int(token[1:])

    def bits(self) -> BitRange | None:
        if not self.take("bits"):
            return None
        shift = self.integer()
        self.expect("+")
        return BitRange(shift, self.integer())

    def place(self, files: Sequence[str]) -> Location:
        if not self.take("@"):
            return NOWHERE
        number = self.integer()
        if not 0 <= number < len(files):
            self.fail(f"no file has the number {number}")
        self.expect(":")
        line = self.integer()
        column = self.integer() if self.take(":") else 0
        end_line, end_column = self._pair() if self.take("..") else (0, 0)
        macro = self.name() if self.take("macro") else ""
        argument = self._pair() if self.take("argument") else (0, 0)
        return Location(files[number], line, column, end_line, end_column, macro, argument)

    def _pair(self) -> tuple[int, int]:
        first = self.integer()
        self.expect(":")
        return first, self.integer()
