"""What analyses say holds in every run: runs of the referee beside analyses (see shadow.py)."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.bench.generate import generate
from precis.engine.analysis import Plan
from precis.engine.budget import Budget, Exhausted
from precis.engine.results import Result, Status, Verdict
from precis.engine.verify import Options, Searching, verify
from precis.interp.outcome import Ending, Inputs, Malloc, Natives, Outcome, Settings
from precis.interp.run import run
from precis.interp.shared import Shared
from precis.ir.program import Program
from precis.properties.place import with_obligations
from tests.laws.analysed import ALL, LIMITS, PROPERTIES, analysed, read, sources
from tests.laws.c_dice import CDice
from tests.laws.leak_dice import LeakDice
from tests.laws.shadow import Tally, follow
from tests.laws.strategies import DOMAINS, dice_of, many_examples

ARGUMENTS = (("program",), ("program", "x"), ("program", "xyz", ""))
STEPS = 1500
STATES = 4000  # of an analysis; one that needs more is left out


def inputs(seed: int) -> Inputs:
    return Inputs(seed, None, b"3 abc\n", ARGUMENTS[seed % len(ARGUMENTS)])


def beside(
    bare: Program,
    domain: str,
    properties: frozenset[str],
    malloc: Malloc,
    limits: str,
    seeds: range,
) -> Tally:
    """Analyse, then run with these seeds; raises Wrong."""
    tally = Tally()
    try:
        done = analysed(bare, domain, properties, malloc, limits, STATES)
    except Exhausted:
        return tally
    assert not done.wrong
    shared = Shared(done.program)
    # Natives leave out what models keep in globals of their own.
    settings = Settings(properties, malloc, timeout=30.0, natives=Natives.MODELS_ONLY)
    why_not = DOMAINS[domain].why_not
    for seed in seeds:
        follow(done.program, done.schedule, why_not, inputs(seed), settings, shared, tally, STEPS)
    return tally


@pytest.mark.parametrize("name", sources())
@pytest.mark.parametrize("domain", DOMAINS)
def test_states_cover_runs(domain: str, name: str) -> None:
    bare = read(sources()[name])
    for at, limits in enumerate(LIMITS):
        turn = at + len(name)
        malloc = (Malloc.MAY_FAIL, Malloc.NEVER_FAILS)[turn % 2]
        beside(bare, domain, PROPERTIES[turn % 3], malloc, limits, range(3 * at, 3 * at + 3))


@pytest.mark.parametrize("domain", DOMAINS)
@many_examples(8)
@given(data=st.data())
def test_states_cover_runs_of_random_programs(domain: str, data: st.DataObject) -> None:
    dice = dice_of(data)
    limits, malloc = dice.pick(tuple(LIMITS)), dice.pick(tuple(Malloc))
    properties = dice.pick(PROPERTIES)
    source = CDice(dice).program()
    try:
        beside(read(source), domain, properties, malloc, limits, range(3))
    except AssertionError:
        print(source)
        raise


@pytest.mark.parametrize("seed", [3, 8, 21, 40])
@pytest.mark.parametrize("domain", DOMAINS)
def test_states_cover_runs_of_generated_programs(domain: str, seed: int) -> None:
    bare = read(generate(seed).source)
    limits = tuple(LIMITS)[1 + seed % 3]
    beside(bare, domain, PROPERTIES[seed % 3], Malloc.NEVER_FAILS, limits, range(2))


@cache
def verdict(domain: str, name: str, properties: frozenset[str], limits: str) -> Result:
    program = with_obligations(read(sources()[name]), properties)
    bounds, merging = LIMITS[limits]
    made = DOMAINS[domain].make(program, properties, True, merging)
    options = Options(properties, Malloc.MAY_FAIL, search=Searching.OFF)
    return verify(program, name, [Plan(made, bounds, 1.0)], options, Budget(30.0, STATES))


@pytest.mark.parametrize("name", sources())
@pytest.mark.parametrize("domain", DOMAINS)
def test_nothing_that_a_run_breaks_is_proved(domain: str, name: str) -> None:
    for limits in ("fine", "merged"):
        result = verdict(domain, name, ALL, limits)
        assert not result.internal
        program = with_obligations(read(sources()[name]), ALL)
        shared = Shared(program)
        for seed in range(6):
            settings = Settings(ALL, Malloc.MAY_FAIL, timeout=30.0)
            found = run(program, inputs(seed), settings, lambda d, c: None, shared=shared)
            if found.ending is Ending.VIOLATION:
                _not_proved(result, found)


def _not_proved(result: Result, found: Outcome) -> None:
    violation = found.violation
    assert violation is not None
    assert result.verdict is not Verdict.SAFE, violation
    doubtful = [
        row
        for row in result.obligations
        if row.procedure == violation.stack[0].procedure
        and row.property == violation.property
        and row.status is not Status.PROVED
    ]
    assert doubtful, violation


@pytest.mark.parametrize("domain", DOMAINS)
@many_examples(12)
@given(data=st.data())
def test_no_block_that_a_run_loses_is_held(domain: str, data: st.DataObject) -> None:
    source = LeakDice(dice_of(data)).program()
    properties = frozenset({"leaks"})
    program = with_obligations(read(source), properties)
    bounds, merging = LIMITS["fine"]
    made = DOMAINS[domain].make(program, properties, False, merging)
    options = Options(properties, Malloc.NEVER_FAILS, search=Searching.OFF)
    result = verify(program, "program.c", [Plan(made, bounds, 1.0)], options, Budget(30.0, STATES))
    assert not result.internal
    shared = Shared(program)
    settings = Settings(properties, Malloc.NEVER_FAILS, timeout=30.0)
    for seed in range(4):
        found = run(program, inputs(seed), settings, lambda d, c: None, shared=shared)
        if found.ending is Ending.VIOLATION:
            assert result.verdict is not Verdict.SAFE, source
