"""The laws of order, on states and entries that analyses come to."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest

from precis.interp.outcome import Malloc
from tests.laws.analysed import ALL, SAFETY, Analysed, analysed, read, sources
from tests.laws.strategies import DOMAINS

MOST_PAIRS = 60  # of states of one procedure
PASSES = 12  # through the states of a procedure, after which a chain must have ended


def _cases() -> list[tuple[str, str, str]]:
    limits = ("fine", "merged", "small", "coarse")
    return [
        (domain, name, limits[at % len(limits)])
        for domain in DOMAINS
        for at, name in enumerate(sources())
    ]


@pytest.fixture(scope="module", params=_cases(), ids="-".join)
def done(request: pytest.FixtureRequest) -> Analysed:
    domain, name, limits = request.param
    properties = ALL if len(name) % 2 else SAFETY
    return analysed(read(sources()[name]), domain, properties, Malloc.MAY_FAIL, limits)


def states_of(done: Analysed) -> dict[str, list[Any]]:
    """States by procedure, those of one block together."""
    found: dict[str, dict[Any, Any]] = {}
    for activation in done.activations:
        states = found.setdefault(activation.procedure.name, {})
        for point in activation.points.values():
            for node in point.nodes():
                states.setdefault(done.domain.key(node.state), node.state)
    return {name: list(states.values()) for name, states in found.items()}


def spread(states: list[Any], most: int) -> list[Any]:
    return states[:: max(1, len(states) // most)][:most]


def test_the_fixpoint_is_one(done: Analysed) -> None:
    assert not done.wrong


def test_join_is_an_upper_bound(done: Analysed) -> None:
    domain = done.domain
    for name, states in states_of(done).items():
        few = spread(states, 8)
        for a, b in islice(product(few, few), MOST_PAIRS):
            joined = domain.join(a, b)
            assert domain.leq(a, a), name
            assert domain.leq(a, joined), name
            assert domain.leq(b, joined), name
            again = domain.join(joined, few[-1])
            assert domain.leq(joined, again) and domain.leq(a, again), name


def test_widening_covers_and_narrowing_lies_between(done: Analysed) -> None:
    domain = done.domain
    for name, states in states_of(done).items():
        few = spread(states, 8)
        for a, b in islice(product(few, few), MOST_PAIRS):
            joined = domain.join(a, b)
            wide = domain.widen(a, joined)
            assert domain.leq(a, wide) and domain.leq(joined, wide), name
            tight = domain.narrow(wide, joined)
            assert domain.leq(joined, tight) and domain.leq(tight, wide), name


def test_chains_of_widening_end(done: Analysed) -> None:
    domain = done.domain
    for name, states in states_of(done).items():
        few = spread(states, 20)
        wide = few[0]
        for _ in range(PASSES):
            changed = False
            for state in few:
                if not domain.leq(state, wide):
                    wide = domain.widen(wide, domain.join(wide, state))
                    changed = True
            if not changed:
                break
        assert not changed, name


def test_equal_keys_are_equal_states(done: Analysed) -> None:
    domain = done.domain
    known: dict[tuple[str, Any], Any] = {}
    for activation in done.activations:
        for point in activation.points.values():
            for node in point.nodes():
                key = (activation.procedure.name, domain.key(node.state))
                other = known.setdefault(key, node.state)
                assert domain.leq(node.state, other) and domain.leq(other, node.state)
                assert domain.merge_key(node.state) == domain.merge_key(other)


def test_widened_entries_match(done: Analysed) -> None:
    domain = done.domain
    entries: dict[str, list[Any]] = {}
    for activation in done.activations:
        entries.setdefault(activation.procedure.name, []).append(activation.entry)
    for name, found in entries.items():
        if found[0].root:
            continue
        few = spread(found, 6)
        for a, b in product(few, few):
            wide = domain.widen_entry(a, b)
            assert domain.match(a, a) is not None, name
            assert domain.match(wide, a) is not None, name
            assert domain.match(wide, b) is not None, name
        wide = few[0]
        for _ in range(PASSES):
            changed = False
            for entry in few:
                if domain.match(wide, entry) is None:
                    wide, changed = domain.widen_entry(wide, entry), True
            if not changed:
                break
        assert not changed, name


def test_answers_of_recursion_become_stable(done: Analysed) -> None:
    """Outcomes that cover both; the older ones themselves if they cover the newer."""
    domain = done.domain
    outcomes: dict[str, list[Any]] = {}
    for activation in done.activations:
        assert activation.summary is not None
        outcomes.setdefault(activation.procedure.name, []).append(activation.summary.outcomes)
    for name, found in outcomes.items():
        known = found[0]
        for _ in range(PASSES):
            changed = False
            for newer in spread(found, 10):
                joined = domain.join_answers(known, newer)
                changed = changed or joined is not known
                known = joined
                assert domain.join_answers(known, newer) is known, name
            if not changed:
                break
        assert not changed, name
