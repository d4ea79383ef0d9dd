"""Inputs that break an obligation -> the least that still break it.

Fewer values come first, then fewer failing allocations and less standard input, then values
nearer to zero. Every step is tried by a run: the same rule must be broken at the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import TypeAlias

from precis.interp.outcome import Inputs

Attempt: TypeAlias = Callable[[Inputs], Inputs | None]


def minimised(inputs: Inputs, attempt: Attempt) -> Inputs:
    """`attempt` gives the inputs as the run used them, or None if they do not serve, or if no
    more are to be tried."""
    best = inputs
    while True:
        before = best
        for change in (_seed, _failures, _stdin, _fewer_values, _smaller_values):
            best = change(best, _better_than(best, attempt))
        if best == before:
            return best


def _better_than(inputs: Inputs, attempt: Attempt) -> Attempt:
    """As `attempt`, which may use other values than it is given: -1 is the largest unsigned."""
    least = _size(inputs)

    def better(candidate: Inputs) -> Inputs | None:
        nonlocal least
        found = attempt(candidate)
        if found is None or _size(found) >= least:
            return None
        least = _size(found)
        return found

    return better


def _size(inputs: Inputs) -> tuple[float, ...]:
    values = inputs.values or ()
    return (
        len(values),
        len(inputs.failures or ()),
        len(inputs.stdin or b""),
        abs(inputs.seed),
        sum(abs(value) if value == value else inf for value in values),
        sum(value < 0 for value in values),
    )


def _seed(best: Inputs, attempt: Attempt) -> Inputs:
    return (attempt(replace(best, seed=0)) if best.seed else None) or best


def _failures(best: Inputs, attempt: Attempt) -> Inputs:
    for number in sorted(best.failures or (), reverse=True):
        fewer = (best.failures or frozenset()) - {number}
        best = attempt(replace(best, failures=fewer)) or best
    return best


def _stdin(best: Inputs, attempt: Attempt) -> Inputs:
    def without(inputs: Inputs, start: int, end: int) -> Inputs:
        text = inputs.stdin or b""
        return replace(inputs, stdin=text[:start] + text[end:])

    return _cut(best, attempt, lambda inputs: len(inputs.stdin or b""), without)


def _fewer_values(best: Inputs, attempt: Attempt) -> Inputs:
    def without(inputs: Inputs, start: int, end: int) -> Inputs:
        values = inputs.values or ()
        return replace(inputs, values=values[:start] + values[end:])

    return _cut(best, attempt, lambda inputs: len(inputs.values or ()), without)


def _cut(
    best: Inputs,
    attempt: Attempt,
    length: Callable[[Inputs], int],
    without: Callable[[Inputs, int, int], Inputs],
) -> Inputs:
    """Leave out runs of elements, long ones first (after Zeller and Hildebrandt, Simplifying
    and isolating failure-inducing input)."""
    width = length(best)
    while width:
        start = 0
        while start < length(best):
            shorter = attempt(without(best, start, start + width))
            if shorter is None:
                start += width
            else:
                best = shorter
        width //= 2
    return best


def _smaller_values(best: Inputs, attempt: Attempt) -> Inputs:
    place = 0
    while place < len(best.values or ()):
        best = _smaller(best, attempt, place)
        place += 1
    return best


def _smaller(best: Inputs, attempt: Attempt, place: int) -> Inputs:
    """Try simple values, then halve the distance to zero as long as that serves."""
    values = best.values or ()
    value = values[place]
    for simple in _simpler(value):
        found = attempt(_with_value(best, place, simple))
        if found is not None:
            return found
    if isinstance(value, float):
        return best
    low, high = min(abs(value), SIMPLE) - 1, abs(value)  # low does not serve, high does
    sign = 1 if value > 0 else -1
    while high - low > 1:
        middle = (low + high) // 2
        found = attempt(_with_value(best, place, sign * middle))
        if found is None:
            low = middle
        else:
            best, high = found, middle
    return best


def _with_value(inputs: Inputs, place: int, value: int | float) -> Inputs:
    values = inputs.values or ()
    return replace(inputs, values=(*values[:place], value, *values[place + 1 :]))


SIMPLE = 9


def _simpler(value: int | float) -> Iterator[int | float]:
    """Small numbers nearer to zero than the value; then the value without its sign."""
    if isinstance(value, float):
        whole = float(int(value)) if abs(value) < 1e15 else 1e15
        yield from (x for x in (0.0, 1.0, -1.0, whole) if abs(x) < abs(value))
        return
    for size in range(min(abs(value), SIMPLE)):
        yield from (size, -size) if size else (0,)
    if value < 0:
        yield -value
