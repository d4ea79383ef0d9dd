"""Where a search goes from a run: the inputs that depart from it, with what each costs.

A cost is the number of bits that say which departure it is: the second choice costs one, the
eighth three. Costs of departures from departures add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log2
from random import Random
from typing import Final, NamedTuple

from precis.engine.candidates import Candidates, Number
from precis.interp.choose import Answer
from precis.interp.faults import NoValue
from precis.interp.outcome import Chosen, Ending, Inputs
from precis.interp.probe import Probe
from precis.ir.location import Location
from precis.ir.types import Int, Type


class Move(NamedTuple):
    """What to run. The first `settled` values have been departed from already."""

    cost: float
    inputs: Inputs
    settled: int


LONGEST: Final = 64  # values of a run that are chosen with care
MOST_FILLED: Final = 256  # of those and the zeros that follow
LATE: Final = 6.0  # bits that a value costs more that never served
FAILING: Final = 1.5  # bits that say that an allocation is to fail, and so on
READING: Final = 1.0
SEEDING: Final = 3.0
MOST_SINGLE, MOST_PAIRED, MOST_SERIES = 32, 8, 16  # allocations of a run that are made to fail
SEEDS: Final = (1, 2, 3, 4)
EARLIER: Final = 6  # candidates that come before what relates to earlier values


@dataclass(slots=True)
class Site:
    """A place that asks for an input. `good` values took a run on, `bad` ones ended it soon."""

    type: Type
    values: tuple[Number, ...]
    good: dict[Number, int] = field(default_factory=dict)
    bad: dict[Number, int] = field(default_factory=dict)

    def is_bad(self, value: Number) -> bool:
        return value not in self.good and self.bad.get(value, 0) >= 2

    def default(self) -> Number:
        """The first candidate that served, or might."""
        for value in self.values:
            if value in self.good:
                return value
        for value in self.values:
            if value not in self.bad:
                return value
        return self.values[0]

    def related(self, earlier: tuple[Number, ...]) -> Iterator[Number]:
        """The candidates, among them values near those of other inputs."""
        yield from self.values[:EARLIER]
        if isinstance(self.type, Int):
            known = set(self.values[:EARLIER])
            for other in dict.fromkeys(reversed(earlier)):
                whole = int(other) if other == other and abs(other) < 1e18 else 0
                for value in (whole, whole + 1, whole - 1, -whole):
                    if value not in known and self.type.low <= value <= self.type.high:
                        known.add(value)
                        yield value
        yield from self.values[EARLIER:]


class Sites:
    """Everything that is known of the inputs of a program."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._sites: dict[tuple[str, Location], Site] = {}

    def site(self, chosen: Chosen) -> Site:
        """Where an input was asked for; a run that was given values may ask at a new place."""
        source, at = chosen.source, chosen.at
        known = self._sites.get((source, at))
        return known or self._asked(self._candidates.types[source, at], source, at)

    def defaults(self, given: int) -> Answer:
        """Answers for a run that was given so many values."""
        count = given

        def answer(type_: Type, source: str, at: Location) -> Number:
            nonlocal count
            count += 1
            site = self._asked(type_, source, at)
            return site.default() if count <= LONGEST else _filling(count)

        return answer

    def random(self, dice: Random) -> Answer:
        count = 0

        def answer(type_: Type, source: str, at: Location) -> Number:
            nonlocal count
            count += 1
            site = self._asked(type_, source, at)
            return _thrown(site, dice) if count <= LONGEST else _filling(count)

        return answer

    def _asked(self, type_: Type, source: str, at: Location) -> Site:
        site = self._sites.get((source, at))
        if site is None:
            site = Site(type_, self._candidates.of(type_, source, at))
            self._sites[source, at] = site
        return site

    def learn(self, probe: Probe, *, served: bool) -> None:
        """What a run tells of the values it was given."""
        chosen = probe.chosen[:LONGEST]
        if served:
            for item in chosen:
                good = self.site(item).good
                good[item.value] = good.get(item.value, 0) + 1
        elif chosen:
            bad = self.site(chosen[-1]).bad
            bad[chosen[-1].value] = bad.get(chosen[-1].value, 0) + 1

    def values(self, probe: Probe, place: int, cost: float) -> Iterator[Move]:
        """Another value for one input; what comes after it is asked for again."""
        site = self.site(probe.chosen[place])
        values = probe.inputs.values or ()
        earlier, was = values[:place], values[place]
        late: list[Number] = []
        rank = 1
        for value in site.related(earlier):
            if value == was:
                continue
            if site.is_bad(value):
                late.append(value)
                continue
            rank += 1
            inputs = replace(probe.inputs, values=(*earlier, value))
            yield Move(cost + log2(rank), inputs, place + 1)
        for value in late:
            rank += 1
            inputs = replace(probe.inputs, values=(*earlier, value))
            yield Move(cost + LATE + log2(rank), inputs, place + 1)


def _filling(count: int) -> Number:
    if count > MOST_FILLED:
        raise NoValue
    return 0


def _thrown(site: Site, dice: Random) -> Number:
    """By the dice: a value that served, a candidate, or any value."""
    kind = dice.random()
    if kind < 0.4 and site.good:
        return dice.choice(tuple(site.good))
    if kind < 0.85 or not isinstance(site.type, Int):
        most = len(site.values)
        return site.values[min(int(most * dice.random() ** 2), most - 1)]
    return site.type.wrap(dice.getrandbits(dice.randint(1, site.type.bits)))


def failing(probe: Probe, cost: float) -> Iterator[Move]:
    """Allocations that fail: each alone, all from one on, pairs."""
    count = probe.allocations
    sets: list[tuple[int, ...]] = [(i,) for i in range(1, min(count, MOST_SINGLE) + 1)]
    if probe.ending is Ending.OUT_OF_MEMORY:
        sets.insert(0, (count,))
    last = min(count, MOST_SERIES)
    sets += [tuple(range(i, last + MOST_SERIES)) for i in range(1, last + 1)]
    sets += combinations(range(1, min(count, MOST_PAIRED) + 1), 2)
    for rank, chosen in enumerate(dict.fromkeys(sets), 1):
        inputs = replace(probe.inputs, failures=frozenset(chosen))
        yield Move(cost + FAILING + log2(rank) / 2, inputs, len(probe.chosen))


def reading(probe: Probe, texts: tuple[bytes, ...], cost: float) -> Iterator[Move]:
    """Other text to read."""
    for rank, text in enumerate(texts, 1):
        inputs = replace(probe.inputs, stdin=text)
        yield Move(cost + READING + log2(rank), inputs, len(probe.chosen))


def seeding(probe: Probe, cost: float) -> Iterator[Move]:
    """Other addresses, and other values of what is indeterminate."""
    for rank, seed in enumerate(SEEDS, 1):
        inputs = replace(probe.inputs, seed=seed)
        yield Move(cost + SEEDING + log2(rank), inputs, len(probe.chosen))
