"""Text for programs that read: fixed pieces, and such as the program's constants suggest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random
from typing import Final

from precis.ir.instr import BlockKind
from precis.ir.program import Program

USUAL: Final = (b"1\n", b"0\n", b"-1\n", b"a\n", b"3\n1\n2\n3\n", b"hello world\n")
UNUSUAL: Final = (
    b"\n", b"1 2 3 4 5 6 7 8 9\n", b"A" * 70 + b"\n", b"9" * 30 + b"\n", b"x y\nz\n\nw\n",
    b"A" * 1100 + b"\n", b"no end of line", b"a\0b\n", b"%s %d\n", b"-9223372036854775809\n",
    b"\xff\xfe\n", b"1\n" * 40,
)  # fmt: skip
SMALL: Final = tuple(b"%d" % value for value in range(-1, 10))
MOST: Final = 60  # texts made of constants
LONGEST: Final = 4096  # of a line that is to overrun something
MOST_WORDS: Final = 10  # of a random text


class Texts:
    """`fixed` ones to be tried in order, and others by the dice."""

    def __init__(self, program: Program, constants: Iterable[int]) -> None:
        literals = tuple(_literals(program))
        numbers = tuple(constants)
        made = dict.fromkeys(
            text for word in literals for text in (word + b"\n", word + b" 1\n" + word + b" 2\n")
        )
        for value in numbers:
            made[b"%d\n" % value * 8] = None
            if 0 < value <= LONGEST:
                made[b"A" * value + b"\n"] = made[b"B" * (value - 1) + b"\n"] = None
        for one, other in permutations(numbers[:3], 2):
            for by in (0, 1, -1):
                made[b"%d %d\n" % (one, other + by)] = None
        self.fixed = tuple(dict.fromkeys((*USUAL, *tuple(made)[:MOST], *UNUSUAL)))
        near = tuple(b"%d" % (value + by) for value in numbers for by in (0, 1, -1))
        self._words = tuple(dict.fromkeys((*literals, *near, *SMALL)))

    def thrown(self, dice: Random) -> bytes:
        words = [dice.choice(self._words) for _ in range(dice.randint(1, MOST_WORDS))]
        return b"".join(word + dice.choice((b" ", b"\n")) for word in words)


def _literals(program: Program) -> Iterator[bytes]:
    """The program's string literals, without formats and ends of lines."""
    for variable in program.globals.values():
        if variable.kind is BlockKind.LITERAL and variable.at.file in program.sources:
            for piece in variable.pieces:
                word = piece.value.rstrip(b"\0\n") if isinstance(piece.value, bytes) else b""
                if word and b"%" not in word:
                    yield word
