"""The engine with a domain that is right by inspection: order, recursion, budgets, narrowing."""

from __future__ import annotations

from collections import Counter

import pytest

from precis.domains.protocol import Exit
from precis.engine.activation import FINE, ONE_STATE, Limits
from precis.engine.budget import Budget, Cancelled, Event, Exhausted
from precis.engine.schedule import Schedule
from precis.engine.summary import SummaryTable
from precis.ir.program import Program
from tests.checking import check, placed
from tests.engine.toy import Constants, State


def solved(program: Program, limits: Limits = FINE) -> tuple[Schedule, Constants]:
    domain = Constants()
    schedule = Schedule(domain, program, limits, Budget())
    schedule.bottom_up()
    return schedule, domain


def answers(schedule: Schedule, name: str) -> set[int]:
    summary = schedule.done[name, None].summary
    assert summary is not None
    return {value for outcome in summary.outcomes for value in outcome.answer}


def test_bottom_up_analyses_each_procedure_of_a_chain_once() -> None:
    text = "static int f0(void) { int x = 100; return x; }\n"
    for i in range(1, 40):
        text += f"static int f{i}(void) {{ int x = {100 + i}; return x + f{i - 1}(); }}\n"
    schedule, domain = solved(placed(text + "int main(void) { return f39(); }\n"))
    assert set(Counter(domain.started).values()) == {1}
    assert domain.started.index("f0") < domain.started.index("f39")
    assert answers(schedule, "main") >= set(range(100, 140))
    assert schedule.rounds == 0


def test_recursion_reaches_a_fixpoint() -> None:
    text = (
        "static int even(int n); \n"
        "static int odd(int n) { int x = 11; if (!n) return x; return even(n - 1); }\n"
        "static int even(int n) { int x = 22; if (!n) return x; return odd(n - 1); }\n"
        "int main(void) { return even(5); }\n"
    )
    schedule, _ = solved(placed(text))
    assert answers(schedule, "even") >= {11, 22}
    assert answers(schedule, "odd") >= {11, 22}
    assert schedule.rounds >= 1
    for activation in schedule.done.values():
        assert schedule.recheck(activation) == ""


def test_nested_recursion_is_finished_together() -> None:
    text = (
        "static int a(int n); static int b(int n); static int c(int n);\n"
        "static int a(int n) { int x = 1001; if (n) return b(n); return x; }\n"
        "static int b(int n) { int x = 1002; if (n > 1) return c(n) + a(n - 1); return x; }\n"
        "static int c(int n) { int x = 1003; if (n > 2) return b(n - 1); return x; }\n"
        "int main(void) { return a(3); }\n"
    )
    schedule, _ = solved(placed(text))
    for name in "abc":
        assert answers(schedule, name) >= {1002, 1003}, name
    assert answers(schedule, "a") >= {1001, 1002, 1003}


class Forgetful(Constants):
    """Its joins are wrong."""

    def join(self, left: State, right: State) -> State:
        return left


@pytest.mark.parametrize(
    ("body", "wrong"),
    [("int x = 5; return x;", False), ("int x = 5; if (n) x = 6; return x;", True)],
    ids=("straight", "a join"),
)
def test_only_what_was_never_joined_is_spared_the_check(body: str, wrong: bool) -> None:
    program = placed(f"int main(int n, char **v) {{ {body} }}\n")
    schedule = Schedule(Forgetful(), program, ONE_STATE, Budget())
    schedule.bottom_up()
    main = schedule.done["main", None]
    assert main.plain is not wrong
    assert bool(schedule.recheck(main)) is wrong


class Counting(Constants):
    """It counts how often states are joined and compared."""

    def __init__(self) -> None:
        super().__init__()
        self.work = 0

    def join(self, left: State, right: State) -> State:
        self.work += 1
        return left | right

    def leq(self, small: State, big: State) -> bool:
        self.work += 1
        return small <= big


@pytest.mark.parametrize("leave", ["break", "continue"])
def test_a_switch_in_a_loop_is_swept(leave: str) -> None:
    """What many ways lead to is visited, and joined, once in a sweep over the loop."""

    def work(cases: int) -> tuple[int, int]:
        some = "".join(f"case {n}: x = {100 + n}; {leave}; " for n in range(cases))
        text = f"int main(int n, char **v) {{ int x = 7; while (x) switch (n) {{ {some}"
        program = placed(text + "default: return x; } return x; }\n")
        domain = Counting()
        schedule = Schedule(domain, program, ONE_STATE, Budget())
        schedule.bottom_up()
        main = schedule.done["main", None]
        assert answers(schedule, "main") >= {7, *range(100, 100 + cases)}
        assert schedule.recheck(main) == ""
        return main.states, domain.work

    few, many = work(20), work(80)
    assert many[0] < 5 * few[0] and many[1] < 5 * few[1], "no more than in proportion"


def test_nested_loops_reach_a_fixpoint_in_sweeps() -> None:
    text = (
        "int main(int n, char **v) { int x = 1, i, j, k;"
        " for (i = 0; i < n; i++) { if (i == 5) x = 51;"
        " for (j = 0; j < n; j++) { if (j == 6) { x = 62; continue; }"
        " for (k = 0; k < n; k++) { if (k == 7) { x = 73; break; } if (k == 8) goto out; } } }"
        " out: return x; }\n"
    )
    schedule, _ = solved(placed(text), ONE_STATE)
    assert answers(schedule, "main") >= {1, 51, 62, 73}
    assert schedule.recheck(schedule.done["main", None]) == ""
    assert schedule.done["main", None].states < 200


def test_what_rests_on_an_assumption_is_checked() -> None:
    text = (
        "static int down(int n) { return n ? down(n - 1) : 0; }\n"
        "static int forever(int n) { return forever(n); }\n"
        "int main(void) { return down(3) + forever(1); }\n"
    )
    schedule, _ = solved(placed(text), ONE_STATE)
    assert not schedule.done["down", None].plain
    assert not schedule.done["forever", None].plain
    assert schedule.done["main", None].plain


def test_a_procedure_that_never_returns_has_no_outcome() -> None:
    text = "static int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }\n"
    schedule, _ = solved(placed(text))
    summary = schedule.done["f", None].summary
    assert summary is not None and summary.outcomes == ()


def test_halt_climbs_through_callers() -> None:
    text = (
        "#include <stdlib.h>\n"
        "static void stop(void) { exit(1); }\n"
        "static void middle(void) { stop(); }\n"
        "int main(void) { middle(); return 0; }\n"
    )
    schedule, _ = solved(placed(text))
    for name in ("stop", "middle", "main"):
        summary = schedule.done[name, None].summary
        assert summary is not None
        assert {outcome.exit for outcome in summary.outcomes} == {Exit.HALT}


def test_states_are_limited() -> None:
    program = placed("int main(void) { for (int i = 0; i < 9; i++) {} return 0; }\n")
    schedule = Schedule(Constants(), program, FINE, Budget(states=1))
    with pytest.raises(Exhausted, match="1 states"):
        schedule.on_demand("main", None)


def test_memory_is_limited() -> None:
    with pytest.raises(Exhausted, match="--memory"):
        Budget(memory=1).look()


def test_cancellation_and_progress() -> None:
    seen: list[Event] = []
    program = placed("int main(void) { return 0; }\n")
    budget = Budget(on_event=seen.append, cancelled=lambda: True)
    Schedule(Constants(), program, FINE, budget).on_demand("main", None)
    assert seen and seen[0].text == "main"
    with pytest.raises(Cancelled):
        budget.look()


def test_narrowing_recovers_what_widening_lost() -> None:
    """The counter is widened past 200 and narrowed again by the test of the loop."""
    text = (
        "#include <assert.h>\n"
        "extern int __VERIFIER_nondet_int(void);\n"
        "int main(void) {\n"
        "    int n = 0;\n"
        "    while (n < 1000 && __VERIFIER_nondet_int()) n += 3;\n"
        "    assert(n <= 1002);\n"
        "    return 0;\n"
        "}\n"
    )
    assert check(text).verdict.value == "SAFE"


def test_an_empty_table_has_nothing() -> None:
    table = SummaryTable()
    assert len(table) == 0 and list(table) == []
