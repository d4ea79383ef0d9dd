"""Random choices that are the same for a seed on every machine.

Only `Random.random` is promised to give one sequence in all versions of Python, so every choice is
made from it and none by `choice`, `sample` or `shuffle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar, final

T = TypeVar("T")


@final
class Dice:
    """A stream of choices."""

    __slots__ = ("_source",)

    def __init__(self, seed: int) -> None:
        self._source = Random(seed)

    def below(self, bound: int) -> int:
        """An integer from 0 to `bound` - 1."""
        return int(self._source.random() * bound)

    def between(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different positions of `options`, in random order."""
        rest = list(options)
        return [rest.pop(self.below(len(rest))) for _ in range(min(count, len(rest)))]

    def mixed(self, options: Sequence[T]) -> list[T]:
        return self.some(options, len(options))
