"""Aiming: inputs that make a condition turn out as it never did.

A run tells how far apart the numbers are that a condition compares. The same run with one input
moved a little tells how that distance depends on the input, and where it would be as wanted if
it did so linearly; if it does not, the next guess goes on from there (the secant method):

    if (3 * a + b == 70)        with a = b = 1 the sides are 66 apart, with a = 2 63: so a = 23
        if (a > b + 50)         changes of a and b that keep 3 * a + b are 1 and -3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice
from math import gcd, isfinite
from typing import Final, TypeAlias

from precis.engine.candidates import Number
from precis.interp.outcome import Inputs
from precis.interp.probe import Comparison

MOST_INPUTS: Final = 16
MOST_CONDITIONS: Final = 12
MOST_GUESSES: Final = 16
MOST_SHORTER: Final = 6  # tries nearer by, if the condition is not met where the line points to
MOST_KEPT: Final = 3  # equations that hold and are kept
MOST_DIRECTIONS: Final = 10
LARGEST: Final = 1 << 65

Site: TypeAlias = tuple[str, int, int, int]  # procedure, block, step; how often it was passed
Point: TypeAlias = tuple[Number, Number]  # the value of an input and the distance it gave
Distances: TypeAlias = dict[Site, Number]
Goals: TypeAlias = dict[Site, tuple[int, ...]]  # the distances that are wanted
Log: TypeAlias = Callable[[Inputs], list[Comparison]]
Wanted: TypeAlias = Callable[[Comparison], tuple[int, ...]]


def aims(inputs: Inputs, log: Log, wanted: Wanted) -> Iterator[Inputs]:
    """Departures from a run; `wanted` says of a comparison which distances it never had."""
    compared = log(inputs)
    goals = _goals(compared, wanted)
    if goals:
        yield from _Aim(inputs, log, _distances(compared), goals).departures()


class _Aim:
    def __init__(self, inputs: Inputs, log: Log, start: Distances, goals: Goals) -> None:
        self.inputs = inputs
        self.values = inputs.values or ()
        self.start = start
        self.goals = goals
        self._log = log
        self._known: dict[Inputs, Distances] = {inputs: start}

    def departures(self) -> Iterator[Inputs]:
        slopes = []  # of each input: how distances depend on it
        for place in range(min(len(self.values), MOST_INPUTS)):
            moved, nearby = self._nearby(place)
            by = 1 if moved > self.values[place] else -1
            slopes.append(
                {s: by * (d - self.start[s]) for s, d in nearby.items() if s in self.start}
            )
            for site, distances in self.goals.items():
                if slopes[place].get(site):
                    first = (self.values[place], self.start[site])
                    for distance in distances:
                        yield from self._guesses(
                            place, site, distance, first, (moved, nearby[site])
                        )
        kept = [site for site, d in self.start.items() if not d and site not in self.goals]
        for keep in kept[-MOST_KEPT:]:
            for direction in _directions([slope.get(keep, 0) for slope in slopes]):
                yield from self._along(direction)

    def distances(self, inputs: Inputs) -> Distances:
        if inputs not in self._known:
            self._known[inputs] = _distances(self._log(inputs))
        return self._known[inputs]

    def moved(self, changes: Mapping[int, Number]) -> Inputs:
        values = tuple(v + changes.get(i, 0) for i, v in enumerate(self.values))
        return replace(self.inputs, values=values)

    def _nearby(self, place: int) -> tuple[Number, Distances]:
        """An input moved by one, up if that gets as far."""
        value = self.values[place]
        above = self.distances(self.moved({place: 1}))
        if len(above) >= len(self.start):
            return value + 1, above
        return value - 1, self.distances(self.moved({place: -1}))

    def _along(self, direction: Mapping[int, Number]) -> Iterator[Inputs]:
        """Goals that changes of two inputs together bring about."""
        nearby = self.distances(self.moved(direction))
        for site, distances in self.goals.items():
            if site in nearby and nearby[site] != self.start[site]:
                for distance in distances:
                    times = _solved(0, self.start[site], 1, nearby[site], distance)
                    yield self.moved({i: times * by for i, by in direction.items()})

    def _guesses(
        self, place: int, site: Site, wanted: int, older: Point, newer: Point
    ) -> Iterator[Inputs]:
        """Guesses of one input, from two of its values with the distance that each gave. Once
        the wanted distance lies between two points, every other guess is half way."""
        for turn in range(MOST_GUESSES):
            if older[1] == newer[1] or not abs(older[1]) < LARGEST or not abs(newer[1]) < LARGEST:
                return
            between = (older[1] < wanted) != (newer[1] < wanted)
            guess = _solved(*older, *newer, wanted)
            if between and (turn % 2 or guess in (older[0], newer[0])):
                guess = older[0] + _part(newer[0] - older[0], 2)
            reached: Number | None = None
            for _ in range(MOST_SHORTER):
                if guess in (older[0], newer[0]) or not abs(guess) < LARGEST:
                    return
                candidate = self.moved({place: guess - self.values[place]})
                yield candidate
                reached = self.distances(candidate).get(site)
                if reached is not None:
                    break
                guess = newer[0] + _part(guess - newer[0], 8)
            if reached is None or reached == wanted:
                return
            if between and (older[1] < wanted) != (reached < wanted):
                newer = (guess, reached)
            else:
                older, newer = newer, (guess, reached)


def _part(distance: Number, of: int) -> Number:
    return distance / of if isinstance(distance, float) else distance // of


def _directions(slopes: list[Number]) -> Iterator[dict[int, Number]]:
    """Changes of two inputs that leave an equation, with these slopes, as it is."""
    whole = [(i, slope) for i, slope in enumerate(slopes) if slope and isinstance(slope, int)]
    for (i, x), (j, y) in islice(combinations(whole, 2), MOST_DIRECTIONS):
        common = gcd(x, y)
        yield {i: y // common, j: -x // common}


def _goals(compared: list[Comparison], wanted: Wanted) -> Goals:
    """The last passes of conditions that have something left to want, the latest first."""
    last: dict[tuple[str, int, int], tuple[Site, Comparison]] = {}
    for site, comparison in _numbered(compared):
        last.pop(site[:3], None)
        last[site[:3]] = site, comparison
    goals: Goals = {}
    for site, comparison in reversed(last.values()):
        distances = wanted(comparison)
        if distances and len(goals) < MOST_CONDITIONS:
            goals[site] = distances
    return goals


def _numbered(compared: list[Comparison]) -> Iterator[tuple[Site, Comparison]]:
    passed: dict[tuple[str, int, int], int] = {}
    for comparison in compared:
        key = (comparison.procedure.name, *comparison.place)
        passed[key] = passed.get(key, 0) + 1
        yield (*key, passed[key]), comparison


def _distances(compared: list[Comparison]) -> Distances:
    return {site: comparison.x - comparison.y for site, comparison in _numbered(compared)}


def _solved(x: Number, at_x: Number, y: Number, at_y: Number, wanted: int) -> Number:
    """Where the line through both points is at the wanted height; an integer for integers."""
    if isinstance(x, float) or isinstance(at_x, float) or isinstance(at_y, float):
        value = x + (wanted - at_x) * (y - x) / (at_y - at_x)
        if not isfinite(value):
            return x
        return value if isinstance(x, float) else round(value)
    steps, rest = divmod((wanted - at_x) * (int(y) - x), at_y - at_x)
    return x + steps + (1 if 2 * abs(rest) > abs(at_y - at_x) else 0)
