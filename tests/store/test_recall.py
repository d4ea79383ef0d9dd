"""Summaries of earlier runs are used where they hold, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from precis.cli.wiring import Reading
from precis.domains.heap.domain import Heap
from precis.domains.protocol import GiveUp
from precis.engine.activation import ONE_STATE
from precis.engine.budget import Budget
from precis.engine.results import Verdict
from precis.engine.schedule import Schedule
from precis.engine.summary import Kept, Trace
from precis.engine.verify import Mode
from precis.interp.outcome import Malloc
from precis.ir.types import DataModel
from precis.store.sqlite import SqliteStore
from tests.store.recalling import OPTIONS, program_of, run

TREE = """
struct cell { int value; struct cell *next; };
const int limit = 4;
int counter = 7;
static int left_leaf(int x) { return x + 1; }
static int right_leaf(struct cell *c) { return c->value; }
static void lone_leaf(int *p) { *p = limit; }
static int left(int x) { return left_leaf(x) + 1; }
static int blind(int x) { left_leaf(x); return 3; }
static int right(struct cell *c) { return right_leaf(c->next); }
int count(void) { return counter; }
int top(struct cell *c, int x) { int y; lone_leaf(&y); return left(x) + right(c) + blind(y); }
"""
ALL = frozenset(("left_leaf", "right_leaf", "lone_leaf", "left", "blind", "right", "count", "top"))


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "kept")


def test_a_second_run_explores_nothing(store: SqliteStore) -> None:
    first, second = run(TREE, store), run(TREE, store)
    assert first.explored == ALL and not first.recalled
    assert second.recalled == ALL and not second.explored
    assert first.result == second.result
    assert second.result.stages[0].recalled == len(ALL)


def test_a_leaf_that_moves_or_is_written_otherwise_costs_itself(store: SqliteStore) -> None:
    run(TREE, store)
    assert run("\n// moved\n" + TREE, store).explored == frozenset()
    otherwise = TREE.replace("return x + 1;", "int y = 1; return y + x;")
    assert run(otherwise, store).explored == {"left_leaf"}


def test_a_leaf_with_another_summary_costs_the_callers_that_it_matters_to(
    store: SqliteStore,
) -> None:
    run(TREE, store)
    changed = run(TREE.replace("return x + 1;", "return x + 2;"), store)
    # `blind` is looked at again, but says what it said.
    assert changed.explored == {"left_leaf", "left", "blind", "top"}
    unseen = TREE.replace("return left_leaf(x) + 1;", "return 2;")
    run(unseen, store)
    again = run(unseen.replace("return x + 1;", "return x + 2;"), store)
    assert again.explored <= {"left_leaf", "blind"}


def test_both_versions_stay(store: SqliteStore) -> None:
    run(TREE, store)
    changed = TREE.replace("return x + 1;", "return x + 2;")
    run(changed, store)
    assert not run(TREE, store).explored and not run(changed, store).explored


CHANGES = {
    "a constant that is read": (TREE.replace("limit = 4", "limit = 5"), {"lone_leaf"}),
    "a global that is read": (TREE.replace("counter = 7", "counter = 8"), {"count"}),
    "the layout of a struct": (
        TREE.replace("int value; struct cell *next;", "struct cell *next; int value;"),
        {"right_leaf", "right", "top"},
    ),
    "a struct grows": (
        TREE.replace("struct cell *next;", "struct cell *next; int more;"),
        {"right_leaf", "right", "top"},
    ),
    "the type of a global": (TREE.replace("int counter = 7", "unsigned counter = 7"), {"count"}),
    "who sees a procedure": (TREE.replace("static int left(", "int left("), {"left"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_what_a_summary_names_is_seen(name: str, store: SqliteStore) -> None:
    run(TREE, store)
    source, touched = CHANGES[name]
    assert run(source, store).explored >= touched


OTHERS = {
    "weak": replace(OPTIONS, calls="weak"),
    "classes": replace(OPTIONS, alias_classes="type"),
    "malloc": replace(OPTIONS, malloc=Malloc.NEVER_FAILS),
    "properties": replace(OPTIONS, properties=frozenset(("memory-safety",))),
    "uninitialised": replace(OPTIONS, properties=OPTIONS.properties | {"uninitialised"}),
    "assumed": replace(OPTIONS, assumed=frozenset((19,))),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_options_are_other_summaries(name: str, store: SqliteStore) -> None:
    run(TREE, store)
    assert run(TREE, store, OTHERS[name]).explored == ALL


def test_another_data_model_is_another_program(store: SqliteStore) -> None:
    run(TREE, store)
    assert run(TREE, store, how=Reading(DataModel.ILP32)).explored == ALL


def test_a_program_takes_nothing_from_a_library(store: SqliteStore) -> None:
    """What is counted on callers to hold differs."""
    source = TREE + "int main(void) { return left(1) + blind(2); }\n"
    run(source, store)
    found = run(source, store, replace(OPTIONS, mode=Mode.PROGRAM))
    assert not found.recalled


def test_another_precis_starts_anew(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    run(TREE, store)
    monkeypatch.setattr("precis.store.sqlite.fingerprint", lambda: b"another")
    assert run(TREE, store).explored == ALL


CALLBACK = """
typedef int work(int);
static int one(int x) { return x; }
static int two(int x) { return x + 1; }
int apply(work *w, int x) { return w ? w(x) : 0; }
work *chosen = one;
int first(int x) { return apply(one, x); }
"""


def test_what_pointers_may_lead_to_is_part_of_the_key(store: SqliteStore) -> None:
    run(CALLBACK, store)
    more = CALLBACK + "work *other = two;\n"
    assert "apply" in run(more, store).explored
    assert "apply" in run(CALLBACK.replace("return x; }", "return -x; }"), store).explored


EXTERNAL = "int outside(int);\nint use(int x) { return outside(x); }\n"


def test_assumptions_come_with_a_summary(store: SqliteStore) -> None:
    options = replace(OPTIONS, assumed=frozenset((19,)))
    first, second = run(EXTERNAL, store, options), run(EXTERNAL, store, options)
    assert first.result == second.result and second.recalled == {"use"}
    assert 19 in second.result.assumptions
    body = EXTERNAL + "int outside(int x) { return x; }\n"
    assert "use" in run(body, store, options).explored


UNFOLLOWED = """
#include <stdio.h>
int helper(int x) { return x; }
void show(FILE *to, int x) { fprintf(to, "%d", helper(x)); }
"""


def test_obligations_that_nobody_looked_at_come_with_a_summary(store: SqliteStore) -> None:
    first, second = run(UNFOLLOWED, store), run(UNFOLLOWED, store)
    assert first.result == second.result
    assert "show" in second.recalled


RECURSION = """
struct node { struct node *next; int value; };
static int leaf(int x) { return x + 1; }
static int down(int n) { return n <= 0 ? 0 : down(n - 1); }
static struct node *odd(struct node *n);
static struct node *even(struct node *n) { return n ? odd(n->next) : n; }
static struct node *odd(struct node *n) { n->value = leaf(0); return even(n->next); }
int use(int n) { return down(n); }
int walk(struct node *n) { return even(n) == 0; }
int other(struct node *n) { return odd(n) != 0; }
"""
TOGETHER = frozenset(("even", "odd"))


def test_recursive_procedures_are_recalled_together(store: SqliteStore) -> None:
    first, second = run(RECURSION, store), run(RECURSION, store)
    assert first.result == second.result and not second.explored
    assert run("\n" + RECURSION, store).explored == frozenset()


def test_a_change_of_one_of_them_or_of_their_callee_costs_all(store: SqliteStore) -> None:
    run(RECURSION, store)
    for old, new in (("even(n->next)", "even(n)"), ("x + 1", "x + 2"), ("? odd(", "? even(")):
        source = RECURSION.replace(old, new)
        found = run(source, store)
        assert found.explored >= TOGETHER
        assert found.recalled >= {"down", "use"}
        assert found.result == run(source, None).result


def test_who_asks_first_does_not_matter(store: SqliteStore) -> None:
    """Callees are done before: in which order their callers come is all the same."""
    run(RECURSION, store)
    first, second = "int walk(struct node *n) {", "int other(struct node *n) {"
    source = RECURSION.replace(first, "swap").replace(second, first).replace("swap", second)
    found = run(source, store)
    assert found.explored == {"other", "walk"}
    assert found.result == run(source, None).result
    assert not run(source, store).explored and not run(RECURSION, store).explored


def test_a_wrong_summary_is_not_taken_for_one_that_was_safe(store: SqliteStore) -> None:
    """The callee becomes wrong, its callers know."""
    good = "void set(int *p) { *p = 1; }\nint use(void) { int x; set(&x); return x; }\n"
    bad = good.replace("*p = 1;", "*p = 1; p[1] = 2;")
    fine = run(good, store).result
    assert fine.verdict is Verdict.SAFE
    assert run(bad, store).result == run(bad, None).result != fine


class Memory:
    """A store in a dict, as the engine asks for it."""

    def __init__(self) -> None:
        self.rows: dict[bytes, list[tuple[Trace, Kept]]] = {}

    def traces(self, key: bytes) -> list[Trace]:
        return [trace for trace, _ in self.rows.get(key, [])]

    def kept(self, key: bytes, trace: Trace) -> Kept | None:
        return next((kept for known, kept in self.rows[key] if known == trace), None)

    def keep(self, key: bytes, trace: Trace, kept: Kept) -> None:
        self.rows.setdefault(key, []).append((trace, kept))


def broken(kept: Kept, **parts: Any) -> Kept:
    return replace(kept, ones=tuple(replace(one, **parts) for one in kept.ones))


def test_entries_that_do_not_fit_are_not_used() -> None:
    memory = Memory()
    fine = run(TREE, memory).result
    for rows in memory.rows.values():
        rows[:] = [(trace, broken(kept, summary=b"x")) for trace, kept in rows]
    again = run(TREE, memory)
    assert again.explored == ALL and again.result == fine
    for rows in memory.rows.values():
        rows[:] = [(trace, broken(kept, lost=((99, 1, "x"),))) for trace, kept in rows]
    assert run(TREE, memory).explored == ALL
    for key, rows in memory.rows.items():
        asked = (replace(one, node=99) for trace, _ in rows for one in trace.asked)
        memory.rows[key] = [(replace(trace, asked=tuple(asked)), kept) for trace, kept in rows]
    assert run(TREE, memory).result == fine


REFUSED = """
struct two { int a, b; };
static int leaf(int x) { return x; }
int both(struct two *p, struct two *q) {
    p->a = 1; q->b = leaf(2); p->b = 3; q->a = 4;
    return p->b;
}
int overlap(void) {
    int block[3] = {0, 0, 0};
    return both((struct two *)block, (struct two *)(block + 1));
}
"""


def test_what_is_left_open_inside_a_callee_is_that_of_now(store: SqliteStore) -> None:
    """The call is refused: nobody looks at what `leaf` does there. Then it does more, and its
    summary stays what it was."""
    first = run(REFUSED, store)
    assert run(REFUSED, store).result == first.result
    more = REFUSED.replace("return x; }", "int y[2]; y[1] = x; return y[1]; }")
    found = run(more, store)
    assert {"both", "overlap"} <= set(found.recalled)
    assert found.result == run(more, None).result


def test_what_the_clock_made_coarser_is_not_kept(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "int f(int *p) { return *p; }"
    turns: list[int] = []

    def late_at_first(self: Budget, procedures: int, used: float, room: int, shares: int) -> None:
        turns.append(procedures)
        self.due = 0.0 if len(turns) == 1 else None

    with monkeypatch.context() as patched:
        patched.setattr(Budget, "turn", late_at_first)
        assert "f" in run(source, store).explored
    assert len(turns) > 1, "it is done again, with less kept apart"

    assert "f" in run(source, store).explored
    assert "f" in run(source, store).recalled


def test_what_a_clock_ended_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """On another day, or another machine, it would not."""
    source = "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n"
    program = program_of(source)
    memory = Memory()

    def analysed(patience: int) -> bool:
        limits = replace(ONE_STATE, patience=patience, turns=0)
        domain = Heap(program, may_fail=True, properties=OPTIONS.properties, library=True)
        schedule = Schedule(domain, program, limits, Budget(look_every=1), memory)
        return schedule.on_demand("sum", None).given_up

    def late(budget: Budget) -> None:
        raise GiveUp("it is late")

    with monkeypatch.context() as changed:
        changed.setattr(Budget, "look", late)
        assert analysed(800) and not memory.rows
    assert not analysed(800) and len(memory.rows) == 1
    assert analysed(2) and len(memory.rows) == 2  # too many states are so everywhere
