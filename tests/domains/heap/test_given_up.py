"""What cannot be analysed is UNKNOWN with a reason, never SAFE; what is no program is an error."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from precis.domains.heap import theory
from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Frame, Relation
from precis.domains.heap.guards import TooLarge
from precis.domains.protocol import Exit, GiveUp, ObligationId
from precis.engine.activation import ONE_STATE, Activation
from precis.engine.analysis import Plan, analyse
from precis.engine.budget import LAST_SHARES, Budget
from precis.engine.schedule import Schedule
from precis.frontends.clang.link import Extent
from precis.ir.instr import Check
from precis.ir.obligation import Obligation, rule_of
from precis.ir.program import Program
from tests.domains.heap.analysing import lowered

EXTERNAL = "int device(int *);\nint main(void) { int x = 1; device(&x); return x / x; }\n"
FEW = "void f();\nint main(void) { int x; f(&x); return 0; }\nvoid f(int *p, int *q) { *p = *q; }\n"
CODE = """#include <assert.h>
int main(void) { int x = 1; __asm__ volatile("movl $2, (%0)" : : "r"(&x) : "memory");
  assert(x == 1); return 0; }
"""
TWICE = "static void f(void) {}\nstatic void f(void) {}\nint main(void) { f(); return 0; }\n"
WRONG = "static void f(int *p, int *q) { *p = *q; }\nint main(void) { int x; f(&x); return 0; }\n"
TEXT = """precis ir 1
entry main
procedure f(%0.p, %1.q): fn(*i32, *i32) -> void {
  var %0.p: *i32
  var %1.q: *i32
b0:
  store [%0.p] = 1
  return
}
procedure main(): fn() -> i32 {
  object &0.x: i32 size 4 align 4
b0:
  begin &0.x
  call fn f(GIVEN)
  return 0
}
"""

GIVEN_UP = (
    ("external.c", EXTERNAL, "the function device has no body and no model"),
    ("few.c", FEW, "takes other arguments"),
    ("code.c", CODE, "the function asm has no body and no model"),
    ("few.pir", TEXT.replace("GIVEN", "&0.x"), "takes other arguments"),
    ("number.pir", TEXT.replace("GIVEN", "1, 2"), "arguments of the wrong kind"),
)
REFUSED = (
    ("twice.c", TWICE, "twice.c:2:13: redefinition of 'f'"),
    ("wrong.c", WRONG, "wrong.c:2:29: too few arguments to function call"),
    ("twice.pir", TEXT.replace("procedure main", "procedure f"), ":10"),
    ("word.pir", TEXT.replace("GIVEN", "word"), ":14"),
    ("empty.c", "", "no function is defined here"),
)


def check(folder: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    (folder / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "precis", "check", "--domain", "heap", "--no-search", name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "text", "why"), GIVEN_UP, ids=[one[0] for one in GIVEN_UP])
def test_it_is_unknown(name: str, text: str, why: str, tmp_path: Path) -> None:
    done = check(tmp_path, name, text)
    assert done.returncode == 5, done.stdout + done.stderr
    assert why in done.stdout and "verdict: UNKNOWN" in done.stdout


@pytest.mark.parametrize(("name", "text", "why"), REFUSED, ids=[one[0] for one in REFUSED])
def test_it_is_an_error(name: str, text: str, why: str, tmp_path: Path) -> None:
    done = check(tmp_path, name, text)
    assert done.returncode == 2, done.stdout + done.stderr
    assert why in done.stderr and "SAFE" not in done.stdout.replace("UNSAFE", "")


RECURSION = """
int __VERIFIER_nondet_int(void);
static void od(int **p, int *q);
static void ev(int **p, int *q) { if (__VERIFIER_nondet_int()) *p = q; else od(p, q); }
static void od(int **p, int *q) { if (__VERIFIER_nondet_int()) **p = 1; else ev(p, q); }
int main(void) { int y = 5, z = 6; int *p = &y; ev(&p, &z); return *p; }
"""


def test_a_recursion_that_does_not_become_stable_costs_itself() -> None:
    program = lowered(RECURSION)
    domain = Heap(program, may_fail=True)
    root = ("main", domain.root_entry(program.procedures["main"]))
    result = analyse(program, Plan(domain, replace(ONE_STATE, iterations=1)), [root], Budget())
    assert any(lost.reason == "the summary of ev does not become stable" for lost in result.lost)


CONTAINED = """#include <assert.h>
int device(int *);
static void use(int **p) { device(*p); }
int counts(int **p) { int n = 1; use(p); assert(n == 1); return n; }
int reads(int **p, int *q) { *q = 1; use(p); return *q; }
int holds(int **p, int *q) { *q = 1; use(p); assert(*q == 1); return 0; }
"""


def test_callers_of_what_is_given_up_go_on_as_if_anything_had_happened(tmp_path: Path) -> None:
    (tmp_path / "l.c").write_text(CONTAINED, "utf-8")
    words = ["check", "--library", "--domain", "heap", "--json", "l.json", "l.c"]
    command = [sys.executable, "-m", "precis", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 5 and "verdict: UNKNOWN" in done.stdout, done.stdout + done.stderr
    (program,) = json.loads((tmp_path / "l.json").read_bytes())["programs"]
    found: dict[tuple[int, str], set[str]] = {}
    for one in program["obligations"]:
        found.setdefault((one["at"]["line"], one["rule"]), set()).add(one["status"])
    assert found[4, "assertion"] == {"conditional"}
    assert "open" in found[5, "invalid-pointer"] and found[6, "assertion"] == {"open"}
    assert not any("never" in one["text"] for one in program["preconditions"])
    given_up = {one["name"] for one in program["procedures"] if one["given_up"]}
    assert given_up == {"use"}, "it costs only itself"


def test_one_that_takes_too_long_leaves_time_for_the_others() -> None:
    budget = Budget(100.0)
    budget.turn(50, 0.0)
    assert budget.due is not None and budget.due - budget.started < 100 / 10
    budget.turn(1, 0.0)
    passed = budget.due - budget.started
    assert 40 < passed < 60, "the last one may take half: then it may be done again, coarser"
    budget.turn(1, 0.0, shares=LAST_SHARES)
    assert 60 < budget.due - budget.started < 70, "and then there is nothing to keep time for"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much memory the process holds."""
    found = [300 << 20]
    monkeypatch.setattr("precis.engine.budget.resident", lambda: found[0])
    return found


def taking(held: list[int]) -> Budget:
    """A procedure runs, which has taken 200 MB so far."""
    budget = Budget()
    held[0] -= 200 << 20
    budget.turn(1, 0.0)
    held[0] += 200 << 20
    budget.look()
    return budget


def test_one_that_takes_too_much_memory_is_given_up(held: list[int]) -> None:
    budget = taking(held)
    held[0] += 100 << 20
    with pytest.raises(GiveUp, match="too much memory"):
        budget.look()
    assert budget.is_overdue(), "what comes of it is not kept"
    budget.look()


def test_memory_counts_over_all_turns_of_a_procedure(held: list[int]) -> None:
    """What others take in between does not."""
    budget = taking(held)
    room = budget.room()
    assert not budget.is_overdue()
    held[0] += 300 << 20  # others
    budget.turn(1, 0.0, room)
    budget.look()
    held[0] += 100 << 20
    with pytest.raises(GiveUp, match="too much memory"):
        budget.look()


def test_what_can_be_given_back_does_not_count(
    held: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    garbage = [150 << 20, 1 << 20]

    def give_back() -> None:
        held[0] -= garbage.pop(0)

    monkeypatch.setattr("precis.engine.budget.give_back", give_back)
    budget = taking(held)
    held[0] += 100 << 20
    budget.look()
    held[0] += 120 << 20
    with pytest.raises(GiveUp, match="too much memory"):
        budget.look()
    assert not garbage, "too little came of it to go on"


def test_one_procedure_gets_less_where_much_is_held(held: list[int]) -> None:
    budget = Budget()
    held[0] = 500 << 20
    budget.turn(1, 0.0)
    held[0] += 60 << 20
    budget.look()
    held[0] += 5 << 20
    with pytest.raises(GiveUp, match="too much memory"):
        budget.look()


def test_what_a_procedure_took_is_given_back_when_it_is_done(
    held: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("precis.engine.budget.give_back", lambda: held.append(held.pop() // 2))
    budget = Budget()
    budget.rest()
    assert held[0] == 300 << 20, "nothing has run"
    budget.turn(1, 0.0)
    held[0] += 10 << 20
    budget.rest()
    assert held[0] == 310 << 20, "it is not worth it"
    held[0] += 30 << 20
    budget.rest()
    assert held[0] == budget.floor == 170 << 20


LOOP = "int f(int n, int *p) { int s = 0; for (int i = 0; i < n; i++) s += *p; return s; }\n"


def test_what_ran_is_dropped_before_the_coarser_try() -> None:
    """What holds its states and guards is gone by the time that garbage is collected."""
    program = lowered(LOOP, extent=Extent.EVERYTHING)
    domain = Heap(program, may_fail=True)
    seen: list[tuple[bool, Any]] = []

    class Watched(Budget):
        def tidy(self) -> bool:
            running = schedule._stack[-1].activation if schedule._stack else None
            seen.append(("f" in domain._frames, running and running.log))
            return False

    limits = replace(ONE_STATE, patience=3, turns=1)
    schedule = Schedule(domain, program, limits, Watched())
    activation = schedule.on_demand("f", None)
    assert activation.states > 3 and seen[0] == (False, None)


ANYWHERE = """#include <stdlib.h>
int device(int **);
static void use(int **p) { device(p); }
void stores(int **s) { *s = malloc(4); use(s); if (*s)
  **s = 1;
}
"""


def test_a_store_to_an_unknown_place_may_lose_a_block() -> None:
    program = lowered(ANYWHERE, extent=Extent.EVERYTHING)
    domain = Heap(program, may_fail=True, library=True)
    roots: list[tuple[str, None]] = [("stores", None)]
    result = analyse(program, Plan(domain, ONE_STATE), roots, Budget())
    found = {(d.at.line, rule_of(check_of(program, o))) for o, d in result.doubts.items()}
    assert (5, "memory-leak") in found


def check_of(program: Program, origin: ObligationId) -> Obligation:
    steps = (s for block in program.procedures[origin.procedure].blocks for s in block.steps)
    return next(s.obligation for s in steps if isinstance(s, Check) and s.number == origin.number)


def schedule_of(source: str) -> Schedule:
    program = lowered(source, (), Extent.EVERYTHING)
    properties = frozenset({"memory-safety", "leaks"})
    domain = Heap(program, True, properties=properties, library=True)
    return Schedule(domain, program, ONE_STATE, Budget(look_every=1))


def test_what_is_not_confirmed_is_done_with_fewer_conditions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_fine(activation: Activation) -> bool:
        return activation.entry is None or activation.entry.coarser == 0

    recheck, mend = Schedule.recheck, Schedule._mend
    monkeypatch.setattr(
        Schedule, "recheck", lambda s, a: "not covered" if is_fine(a) else recheck(s, a)
    )
    monkeypatch.setattr(Schedule, "_mend", lambda s, a: "nor so" if is_fine(a) else mend(s, a))
    schedule = schedule_of("int get(int *p, int n) { return n > 3 ? *p : 0; }\n")
    done = schedule.on_demand("get", None)
    assert not done.given_up and done.entry.coarser > 0
    assert done.summary is not None and done.summary.outcomes


def test_a_summary_that_is_too_large_when_put_together_is_done_coarser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes = Heap._outcomes

    def joined(self: Heap, exits: Any) -> Any:
        if any(state.frame.relation.coarser == 0 for _, state in exits):
            raise TooLarge
        return outcomes(self, exits)

    monkeypatch.setattr(Heap, "_outcomes", joined)
    done = schedule_of("int get(int *p, int n) { return n > 3 ? *p : 0; }\n").on_demand("get", None)
    assert not done.given_up and done.entry.coarser == 1
    assert done.summary is not None and done.summary.outcomes and done.summary.needs


MANY_CONDITIONS = """
int sum(int *a, int *b, int *c, int n, int m)
{
    int t = 0;
    for (int i = 0; i < n; i++) {
        if (a && m > i) t += *a;
        if (b && m > 2 * i) t += *b;
        if (c && a != c) *c = t > 7 ? 1 : 2;
    }
    return t;
}
"""


@pytest.mark.parametrize("first", (12, 20, 60, 120, 200, 400))
def test_few_nodes_at_first_cost_no_summary(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theory, "FIRST_NODES", first)
    done = schedule_of(MANY_CONDITIONS).on_demand("sum", None)
    assert not done.given_up and (first > 12 or done.entry.coarser)
    assert done.summary is not None and done.summary.outcomes


def test_what_is_put_away_has_room_however_often_it_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theory, "FIRST_NODES", 12)
    program = lowered(MANY_CONDITIONS, (), Extent.EVERYTHING)
    frame = Frame(program, program.procedures["sum"], Relation())
    for number in range(30):
        if number % 10 == 0:
            frame.begin()
        frame.theory.guards.atom(number)
    put_away = frame.alone()
    for number in range(30):
        put_away.theory.guards.atom(number)


NEVER_RETURNS = """
#include <stdlib.h>
void device(int n);
static void fatal(int n) { for (;;) { device(n); n++; if (n > 9) exit(n); } }
int get(int *p) { if (!p) fatal(1); return *p; }
"""


def test_what_never_returns_does_not_when_it_is_given_up() -> None:
    """Nobody knows what `device` does, so nothing is known of `fatal`, but it has no return."""
    schedule = schedule_of(NEVER_RETURNS)
    fatal = schedule.on_demand("fatal", None)
    assert fatal.lost and fatal.summary is not None
    assert {outcome.exit for outcome in fatal.summary.outcomes} == {Exit.HALT}
    get = schedule.on_demand("get", None)
    assert not get.lost
    (need,) = {need.origin for need in get.needs}
    assert need.procedure == "get"
