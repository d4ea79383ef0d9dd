"""Nondeterministic inputs: given values, or values by the seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from precis.interp.cells import Value
from precis.interp.faults import NoValue
from precis.interp.memory import Memory
from precis.interp.outcome import Chosen, Inputs
from precis.ir.location import Location
from precis.ir.types import Float, Int, Type

Answer: TypeAlias = Callable[[Type, str, Location], int | float]


def _nothing(type_: Type, source: str, at: Location) -> int | float:
    raise NoValue


class Chooser:
    """Answers `Choose` steps and keeps what was answered.

    `more` is asked when the given values are used up.
    """

    def __init__(self, inputs: Inputs, memory: Memory) -> None:
        self.values = inputs.values
        self.more: Answer = _nothing
        if self.values is None:
            self.random = Random(f"{inputs.seed}:choose")
        self.chosen: list[Chosen] = []
        self.memory = memory

    def choose(self, type_: Type, source: str, at: Location) -> Value:
        raw = self._next(type_, source, at)
        self.chosen.append(Chosen(source, at, raw))
        if isinstance(type_, Int | Float):
            return raw
        assert isinstance(raw, int)
        return self.memory.resolve(raw)

    def _next(self, type_: Type, source: str, at: Location) -> int | float:
        if self.values is not None:
            done = len(self.chosen)
            given = self.values[done] if done < len(self.values) else self.more(type_, source, at)
            return fitted(given, type_, source)
        if isinstance(type_, Float):
            return self._float()
        if isinstance(type_, Int):
            return fitted(self._integer(type_), type_, source)
        return 0 if self.random.random() < 0.5 else self.random.getrandbits(24) << 4

    def _integer(self, type_: Int) -> int:
        """Small values, the ends of the range, any size, any value."""
        random = self.random
        kind = random.random()
        if kind < 0.4:
            value = random.randint(-4 if type_.signed else 0, 16)
        elif kind < 0.55:
            value = random.choice((type_.low, type_.low + 1, type_.high - 1, type_.high, 0, 1))
        elif kind < 0.8:
            value = random.getrandbits(random.randint(1, type_.bits))
        else:
            value = random.randint(type_.low, type_.high)
        return value

    def _float(self) -> float:
        random = self.random
        if random.random() < 0.5:
            return float(random.randint(-8, 8))
        return random.uniform(-1e6, 1e6)


def fitted(value: int | float, type_: Type, source: str) -> int | float:
    """The value as one of the type; a bool is 0 or 1."""
    if isinstance(type_, Float):
        return float(value)
    if isinstance(type_, Int):
        whole = type_.wrap(int(value))
        return int(whole & 1 if whole > 1 or whole < 0 else whole) if _is_bool(source) else whole
    return int(value) & (1 << 64) - 1


def _is_bool(source: str) -> bool:
    return source.rstrip("()").endswith("bool")
