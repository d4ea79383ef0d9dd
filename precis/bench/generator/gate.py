"""Conditions over the inputs that are known to hold on some inputs, on all, or on none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import product

from .draft import Draft, Site
from .scalars import INT, Meaning, Variable

Predicate = Callable[[Sequence[int]], bool]
Candidate = tuple[str, Predicate]


class When(Enum):
    """On which inputs a gate opens."""

    SOMETIMES = "sometimes"
    ALWAYS = "always"
    NEVER = "never"


class Gate:
    """One condition, written differently at each use, with one meaning.

    The predicate is over all inputs that the program reads before the gate; `openings` is asked
    when the program is complete.
    """

    __slots__ = ("_draft", "_predicate", "_text", "when")

    def __init__(self, site: Site, when: When) -> None:
        self._draft = site.draft
        self.when = when
        self._text, self._predicate = _chosen(site, when)

    @property
    def condition(self) -> str:
        """Text of type int, 1 or 0, that binds as strongly as a unary operator."""
        return f"({self._text})"

    def choose(self, site: Site, opened: int, closed: int) -> str:
        """An int that is `opened` where the gate opens and `closed` elsewhere."""
        kind = site.dice.below(4)
        if kind == 0:
            return f"({self._text} ? {opened} : {closed})"
        if kind == 1:
            return f"({closed} + {self.condition} * ({opened - closed}))"
        name = site.draft.fresh(site.dice.pick(("at", "step", "count", "pos")))
        site.emit(f"int {name} = {closed};")
        site.emit(f"if ({self._text}) {{")
        change = opened - closed
        site.emit(f"{name} = {opened};" if kind == 2 else f"{name} += {change};")
        site.emit("}")
        return name

    def openings(self) -> tuple[tuple[int, ...], ...]:
        """The inputs on which the gate opens, in order."""
        return tuple(i for i in all_inputs(self._draft) if self._predicate(i))


def all_inputs(draft: Draft) -> tuple[tuple[int, ...], ...]:
    return tuple(product(*(range(low, high + 1) for low, high in draft.input_ranges)))


def known_variable(name: str, low: int, high: int, meaning: Meaning) -> Variable:
    return Variable(name, INT, low, high, writable=False, meaning=meaning)


def _chosen(site: Site, when: When) -> Candidate:
    inputs = all_inputs(site.draft)
    for _ in range(60):
        text, predicate = _candidate(site)
        opened = sum(1 for i in inputs if predicate(i))
        kind = When.NEVER if not opened else When.SOMETIMES
        kind = When.ALWAYS if opened == len(inputs) else kind
        if kind is when:
            return text, predicate
    return _plain(site, when, inputs)


def _plain(site: Site, when: When, inputs: Sequence[Sequence[int]]) -> Candidate:
    """What is left when no random condition turned out right: a comparison with one value."""
    if when is not When.SOMETIMES:
        outcome = when is When.ALWAYS
        return str(int(outcome)), lambda _: outcome
    for variable in site.known():
        meaning = _meaning(variable)
        values = sorted({meaning(i) for i in inputs})
        if len(values) > 1:
            return _equals(variable, values[-1])
    raise ValueError("no input is visible here")


def _equals(variable: Variable, wanted: int) -> Candidate:
    meaning = _meaning(variable)
    return f"{variable.name} == {wanted}", lambda inputs: meaning(inputs) == wanted


def _meaning(variable: Variable) -> Meaning:
    if variable.meaning is None:
        raise ValueError(f"{variable.name} is not a known function of the inputs")
    return variable.meaning


def _candidate(site: Site) -> Candidate:
    dice = site.dice
    text, predicate = _comparison(site)
    if dice.chance(25):
        other_text, other = _comparison(site)
        if dice.chance(60):
            return f"{text} && {other_text}", lambda i: predicate(i) and other(i)
        return f"{text} || {other_text}", lambda i: predicate(i) or other(i)
    return text, predicate


def _comparison(site: Site) -> Candidate:
    dice = site.dice
    known = site.known()
    first = dice.pick(known)
    text, value = first.name, _meaning(first)
    low, high = first.low, first.high
    if dice.chance(35):
        second = dice.pick(known)
        text, value, low, high = _pair(site, first, second)
    pivot = dice.between(low, high)
    match dice.below(6):
        case 0 | 1:
            return f"{text} == {pivot}", lambda i: value(i) == pivot
        case 2:
            return f"{text} > {pivot}", lambda i: value(i) > pivot
        case 3:
            return f"{text} < {pivot}", lambda i: value(i) < pivot
        case 4:
            return f"{text} != {pivot}", lambda i: value(i) != pivot
        case _:
            return f"({text} & 1) == {pivot & 1}", lambda i: (value(i) & 1) == (pivot & 1)


def _pair(site: Site, first: Variable, second: Variable) -> tuple[str, Meaning, int, int]:
    a, b = _meaning(first), _meaning(second)
    left, right = first.name, second.name
    if site.dice.chance(60):
        low, high = first.low + second.low, first.high + second.high
        return f"{left} + {right}", lambda i: a(i) + b(i), low, high
    low, high = first.low - second.high, first.high - second.low
    return f"{left} - {right}", lambda i: a(i) - b(i), low, high
