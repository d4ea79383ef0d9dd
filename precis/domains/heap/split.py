"""Inputs told apart by their values.

What a program does with an input can hang on its very value: which bucket of a table is used, how
long a text becomes. An input that the program compares with bounds is cut into pieces between
them, and short pieces into single numbers. The pieces are all that the input can be, so what
holds in each of them holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple, final

from precis.domains.heap.frame import Case, Frame
from precis.domains.heap.names import Kind

MOST_NUMBERS: Final = 16  # that a piece is told apart into
MOST_PIECES: Final = 32  # of one input


class _Input(NamedTuple):
    low: int
    high: int
    bounds: frozenset[int]


@final
class Inputs:
    """What inputs of a program were compared with, in the analyses so far."""

    def __init__(self) -> None:
        self._known: dict[Any, _Input] = {}  # by key, in the order they came up
        self._watched: Frame | None = None

    def watch(self, frame: Frame) -> None:
        """An analysis begins whose atoms will tell."""
        self._learn()
        self._watched = frame

    def cases(self, given: tuple[Case, ...]) -> list[Case]:
        """The pieces of the first input that is not given yet; none if there is no such."""
        self._learn()
        known = {key for key, _, _ in given}
        for key, input_ in self._known.items():
            pieces = [] if key in known else list(_pieces(input_))
            if len(pieces) <= MOST_PIECES and any(low == high for low, high in pieces):
                return [(key, low, high) for low, high in pieces]
        return []

    def _learn(self) -> None:
        frame = self._watched
        if frame is None:
            return
        given = {key for key, _, _ in frame.relation.inputs}
        for symbol, bounds in frame.theory.compared():
            if symbol.kind is not Kind.ANY:
                continue
            key, low, high = symbol.parts
            if key in given or not _is_read_once(frame, key):
                continue
            old = self._known.get(key)
            seen = frozenset(bounds) if old is None else old.bounds | frozenset(bounds)
            self._known[key] = _Input(low, high, seen)


def _is_read_once(frame: Frame, key: Any) -> bool:
    """Is it the key of an input that the procedure itself reads, outside of all loops? Then one
    run has one value of it."""
    is_input = len(key) > 3 and key[3] == "input"  # one of several, if there is more to it
    return is_input and key[0] == frame.owner and not frame.is_repeated(key)


def _pieces(input_: _Input) -> Iterator[tuple[int, int]]:
    """Ranges that follow each other, from the lowest number to the highest."""
    inner = sorted(bound for bound in input_.bounds if input_.low <= bound < input_.high)
    for before, last in pairwise((input_.low - 1, *inner, input_.high)):
        if last - before <= MOST_NUMBERS:
            yield from ((number, number) for number in range(before + 1, last + 1))
        else:
            yield before + 1, last
