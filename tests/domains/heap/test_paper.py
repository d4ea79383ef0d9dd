"""Random programs in the language of the paper: what `heap` says of the memory in which a
program ends, against runs.

Every cell must hold what the analysis says it may, and what it says it must. Without choices
the analysis must know exactly what each cell holds.
"""

from __future__ import annotations

import random
from enum import Enum

import pytest

from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Alias, Calls, Classes
from precis.domains.heap.names import NULL, TOP, Kind, Value, name
from precis.domains.heap.sets import Values, only
from precis.domains.heap.state import State
from precis.engine.budget import Budget
from precis.engine.schedule import Schedule
from precis.ir.program import Program
from tests.domains.heap.analysing import ONE_STATE
from tests.domains.heap.paper import Cell, Dice, Nil, Run


class Match(Enum):
    EXACT = "exact"
    COVERED = "covered"
    WRONG = "wrong"


pytestmark = pytest.mark.usefixtures("states_kept")

LIMITS = ("too large", "not confirmed", "takes too long", "does not become stable")


def last_state(
    program: Program, calls: Calls, alias: Alias, classes: Classes = Classes.ORDER
) -> State:
    """The memory at the end of main, of which F(x) <= x was checked."""
    domain = Heap(program, may_fail=False, alias=alias, calls=calls, classes=classes)
    schedule = Schedule(domain, program, ONE_STATE, Budget())
    main = schedule.on_demand("main", domain.root_entry(program.procedures["main"]))
    for activation in schedule.done.values():
        assert schedule.recheck(activation) == ""
        for lost in activation.lost:
            assert any(limit in lost.reason for limit in LIMITS), lost.reason
    states = [state for _, state in main.exits.values()]
    assert states, "no run comes to the end"
    last: State = states[-1]
    return last


def runs(program: Program, count: int, dice: random.Random) -> list[Run]:
    found = []
    for _ in range(count):
        run = Run(program, iter(lambda: dice.randint(0, 1), 2))
        try:
            run.go()
        except Nil:
            continue
        found.append(run)
    return found


def compare(state: State, run: Run) -> Match:
    guards = state.frame.theory.guards
    if guards.possible(guards.both(state.wild.may, state.reach.may)):
        return Match.COVERED  # it says that memory may hold anything
    worst = Match.EXACT
    for cell, held in run.memory.items():
        base = name(Kind.NEW, cell[1])
        if base not in state.blocks:
            continue  # nothing leads to it any more, or a name for many has taken its place
        values: Values = next(iter(state.cells.get(base, {}).values()), only(NULL))
        good = [value for value in values if _is(state, value, held)]
        if not good:
            return Match.WRONG
        for value, b in values.items():
            certain = guards.implies(state.reach.may, b.must)
            if certain and value not in good and not state.is_many(base):
                return Match.WRONG
        if len(values) > 1 or any(value.base is TOP for value in values):
            worst = Match.COVERED
    return worst


def _is(state: State, value: Value, held: object) -> bool:
    if value.base is TOP:
        return True
    if isinstance(held, tuple):
        cell: Cell = held[1]
        if value.base is name(Kind.NEW, cell):
            return True
        many = value.base is not None and state.is_many(value.base)
        return many and value.base is not None and value.base.parts[0][-1] == cell[-1]
    assert isinstance(held, int)
    low, high, _ = value.number
    return value.base is None and (bool(value.linear) or low <= held <= high)


@pytest.mark.parametrize("alias", Alias)
@pytest.mark.parametrize("seed", range(0, 400, 100))
def test_programs_without_choices_are_known_exactly(seed: int, alias: Alias) -> None:
    compared = 0
    for number in range(seed, seed + 100):
        dice = random.Random(number)
        program = Dice(dice).program()
        for run in runs(program, 1, dice):
            state = last_state(program, Calls.STRONG, alias)
            assert compare(state, run) is Match.EXACT, number
            compared += 1
    assert compared > 20


def test_programs_are_known_exactly_with_all_pointers_of_a_type_related() -> None:
    compared = 0
    for number in range(400, 550):
        dice = random.Random(number)
        program = Dice(dice).program()
        for run in runs(program, 1, dice):
            state = last_state(program, Calls.STRONG, Alias.TYPED, Classes.TYPE)
            assert compare(state, run) is Match.EXACT, number
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("choose, recursion", [(True, False), (False, True), (True, True)])
def test_programs_with_choices_and_recursion_are_covered(choose: bool, recursion: bool) -> None:
    exact = compared = 0
    for number in range(1000, 1120):
        dice = random.Random(number)
        program = Dice(dice, choose, recursion).program()
        given = runs(program, 12, dice)
        if not given:
            continue
        state = last_state(program, Calls.STRONG, Alias.TYPED)
        for run in given:
            match = compare(state, run)
            assert match is not Match.WRONG, number
            compared += 1
            exact += match is Match.EXACT
    assert compared > 100 and exact > compared // 4


def test_weak_calls_are_covered_and_know_less() -> None:
    exact = compared = 0
    for number in range(2000, 2100):
        dice = random.Random(number)
        program = Dice(dice).program()
        for run in runs(program, 1, dice):
            match = compare(last_state(program, Calls.WEAK, Alias.TYPED), run)
            assert match is not Match.WRONG, number
            compared += 1
            exact += match is Match.EXACT
    assert 0 < exact < compared * 3 // 4
