"""Whole searches: small C programs, what is found in them and with which inputs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load
from precis.engine.budget import Budget, Cancelled, Event
from precis.engine.results import Finding, Kind
from precis.engine.search import SearchLimits, SearchResult, search
from precis.interp.run import Malloc, Natives, Settings
from precis.properties.place import NAMES, with_obligations

HEAD = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#define input __VERIFIER_nondet_int
"""
ALL = frozenset(NAMES)
FEW = SearchLimits(runs=600)


def searched(
    folder: Path,
    body: str,
    settings: Settings,
    budget: Budget | None = None,
    limits: SearchLimits = FEW,
) -> SearchResult:
    path = folder / "program.c"
    path.write_text(HEAD + body)
    program = with_obligations(load(path, Reading()), settings.properties)
    return search(program, settings, budget or Budget(), limits)


def only(result: SearchResult) -> Finding:
    (finding,) = result.findings
    return finding


def values(finding: Finding) -> list[int | float]:
    return [given.value for given in finding.inputs]


@dataclass(frozen=True, slots=True)
class Case:
    """A program with one violation, and the least inputs that lead to it."""

    name: str
    rule: str
    values: list[int | float]
    body: str


CASES = (
    Case(
        "magic_constant",
        "reachable-error",
        [123456789],
        "int main(void) { if (input() == 123456789) reach_error(); }",
    ),
    Case(
        "constant_behind_arithmetic_and_a_call",
        "reachable-error",
        [100000],
        "static int scaled(int v) { return v * 7 - 3; }\n"
        "int main(void) { int x = input(); __VERIFIER_assume(x > -1000000 && x < 1000000);\n"
        "  if (scaled(x) == 699997) reach_error(); }",
    ),
    Case(
        "constant_behind_a_field",
        "reachable-error",
        [987654],
        "struct s { int a, b; };\n"
        "static void test(struct s *p) { if (p->b == 987654) reach_error(); }\n"
        "int main(void) { struct s *p = malloc(sizeof *p); p->a = 1; p->b = input(); test(p);\n"
        "  free(p); }",
    ),
    Case(
        "two_constants",
        "reachable-error",
        [-77, 4001],
        "int main(void) { int x = input(); int y = input();\n"
        "  if (x == -77) if (y > 4000) reach_error(); }",
    ),
    Case(
        "inputs_in_relation",
        "reachable-error",
        [0, 7],
        "int main(void) { int x = input(), y = input(); __VERIFIER_assume(x > -9999 && x < 9999);\n"
        "  if (y == 3 * x + 7) reach_error(); }",
    ),
    Case(
        "square",
        "reachable-error",
        [1234],
        "int main(void) { int x = input(); __VERIFIER_assume(x > 0 && x < 10000);\n"
        "  if (x * x == 1522756) reach_error(); }",
    ),
    Case(
        "one_of_a_small_range",
        "reachable-error",
        [29],
        "int main(void) { int x = input(); if (x < 0 || x > 40) return 0;\n"
        "  if ((x ^ 5) % 31 == 24 && x * x > 800) reach_error(); }",
    ),
    Case(
        "assumptions_restrict",
        "division-by-zero",
        [5, 10],
        "int main(void) { int a = input(); __VERIFIER_assume(a >= 1 && a <= 5);\n"
        "  int b = input(); __VERIFIER_assume(b == 2 * a);\n"
        "  return 100 / (10 - b); }",
    ),
    Case(
        "loop_of_inputs",
        "out-of-bounds",
        [1, 1, 1, 1],
        "int main(void) { int stack[3], top = 0;\n"
        "  while (input()) stack[top++] = 0;\n"
        "  return 0; }",
    ),
    Case(
        "states_one_after_the_other",
        "reachable-error",
        [17, -5, 99],
        "int main(void) { int state = 0;\n"
        "  for (int i = 0; i < 8; i++) { int c = input();\n"
        "    if (state == 0 && c == 17) state = 1;\n"
        "    else if (state == 1 && c == -5) state = 2;\n"
        "    else if (state == 2 && c == 99) state = 3;\n"
        "    else state = 0;\n"
        "    if (state == 3) reach_error(); } }",
    ),
    Case(
        "length_of_an_array",
        "out-of-bounds",
        [38],
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); int a[37];\n"
        "  for (unsigned i = 0; i < n; i++) a[i] = 1;\n"
        "  return 0; }",
    ),
    Case(
        "freeing_the_same_twice",
        "double-free",
        [0, 0],
        "int main(void) { char *a[3]; for (int i = 0; i < 3; i++) a[i] = malloc(1);\n"
        "  int i = input(), j = input();\n"
        "  __VERIFIER_assume(i >= 0 && i < 3 && j >= 0 && j < 3);\n"
        "  free(a[i]); free(a[j]); exit(0); }",
    ),
    Case(
        "overflow_at_the_end_of_the_type",
        "signed-overflow",
        [2147483647],
        "int main(void) { int x = input(); if (x < 0) return 0; return x + 1 > 5; }",
    ),
    Case(
        "real_between_bounds",
        "reachable-error",
        [1000000.5],
        "int main(void) { double d = __VERIFIER_nondet_double();\n"
        "  if (d > 1e6 && d < 1e6 + 1) reach_error(); }",
    ),
    Case(
        "truth_values",
        "reachable-error",
        [1, 0, 1],
        "int main(void) { _Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();\n"
        "  _Bool c = __VERIFIER_nondet_bool(); if (a && !b && c) reach_error(); }",
    ),
    Case(
        "lost_block",
        "memory-leak",
        [3],
        "int main(void) { char *p = malloc(8); int x = input();\n"
        "  if (x == 3) p = malloc(9);\n"
        "  free(p); return 0; }",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_finds_the_least_inputs(case: Case, tmp_path: Path) -> None:
    finding = only(searched(tmp_path, case.body, Settings(ALL - {"cleanup"})))
    assert (finding.rule, values(finding)) == (case.rule, case.values)
    assert finding.kind is Kind.VIOLATION
    assert finding.stage == "search"


CORRECT = (
    "int main(void) { int x = input(); int a[5] = {0}; if (x >= 0 && x < 5) a[x] = 1;\n"
    "  return a[2]; }",
    "struct n { struct n *next; };\n"
    "int main(void) { struct n *list = NULL;\n"
    "  while (input()) { struct n *n = malloc(sizeof *n); if (!n) break;\n"
    "    n->next = list; list = n; }\n"
    "  while (list) { struct n *next = list->next; free(list); list = next; }\n"
    "  return 0; }",
    "int main(void) { int x = input(); __VERIFIER_assume(x != 7); if (x == 7) reach_error(); }",
)


@pytest.mark.parametrize("body", CORRECT)
@pytest.mark.parametrize("malloc", Malloc)
def test_finds_nothing_in_a_correct_program(body: str, malloc: Malloc, tmp_path: Path) -> None:
    result = searched(tmp_path, body, Settings(ALL - {"cleanup"}, malloc))
    assert result.findings == ()
    assert not result.complete


SECOND_FAILS = """
int main(void) {
    char *p = malloc(4);
    if (!p) return 1;
    char *q = malloc(4);
    *q = 1;
    free(p); free(q);
    return 0;
}
"""


def test_fails_an_allocation(tmp_path: Path) -> None:
    finding = only(searched(tmp_path, SECOND_FAILS, Settings(malloc=Malloc.MAY_FAIL)))
    assert (finding.rule, finding.at.line) == ("null-dereference", HEAD.count("\n") + 6)
    assert finding.replay == "--seed 0 --malloc may-fail --fail 2"


def test_fails_no_allocation_that_never_fails(tmp_path: Path) -> None:
    assert searched(tmp_path, SECOND_FAILS, Settings()).findings == ()


def test_fails_two_allocations(tmp_path: Path) -> None:
    body = """
    int main(void) {
        char *p = malloc(1), *q = malloc(2), *r = malloc(3);
        if (!p && !r && q) reach_error();
        free(p); free(q); free(r);
        return 0;
    }
    """
    finding = only(searched(tmp_path, body, Settings(malloc=Malloc.MAY_FAIL)))
    assert finding.replay == "--seed 0 --malloc may-fail --fail 1,3"


def test_reads_text(tmp_path: Path) -> None:
    body = """
    int main(void) {
        char line[16];
        if (fgets(line, sizeof line, stdin) && !strcmp(line, "it's 5%\\n")) reach_error();
        return 0;
    }
    """
    result = searched(tmp_path, body.replace("%", "5"), Settings())
    assert only(result).replay == "--seed 0 --stdin <(printf 'it\\047s 55\\n')"


def test_text_overruns_a_buffer(tmp_path: Path) -> None:
    body = """
    int main(void) {
        char b[20]; int i = 0, c;
        while ((c = getchar()) != EOF && c != '\\n') b[i++] = c;
        return 0;
    }
    """
    finding = only(searched(tmp_path, body, Settings()))
    assert finding.rule == "out-of-bounds"
    assert finding.replay == "--seed 0 --stdin <(printf '" + "A" * 21 + "')"


def test_tries_other_seeds(tmp_path: Path) -> None:
    body = """
    int main(void) {
        char *p = malloc(8); free(p);
        char *q = malloc(8);
        if (p == q) reach_error();
        free(q);
        return 0;
    }
    """
    settings = Settings()
    finding = only(searched(tmp_path, body, settings))
    again = only(searched(tmp_path, body, settings))
    assert finding == again
    assert finding.rule == "reachable-error"


def test_counts_only_checked_properties(tmp_path: Path) -> None:
    body = "int main(void) { int x = input(); int *p = 0; if (x == 5) return *p; return 10 / x; }"
    result = searched(tmp_path, body, Settings(frozenset({"division"})))
    assert [finding.rule for finding in result.findings] == ["division-by-zero"]


def test_findings_are_distinct_and_in_order(tmp_path: Path) -> None:
    body = """
    int main(void) {
        int x = input();
        if (x == 4000) reach_error();
        if (x > 5000) reach_error();
        return 0;
    }
    """
    result = searched(tmp_path, body, Settings())
    assert [values(finding) for finding in result.findings] == [[4000], [5001]]


def test_stops_when_there_are_enough_findings(tmp_path: Path) -> None:
    cases = "".join(f"case {i}: reach_error();\n" for i in range(9))
    body = f"int main(void) {{ switch (input()) {{\n{cases} }} return 0; }}"
    result = searched(tmp_path, body, Settings(), limits=SearchLimits(findings=3))
    assert (len(result.findings), result.exhausted) == (3, "findings")


def test_two_searches_are_equal(tmp_path: Path) -> None:
    body = """
    struct n { struct n *next; int v; };
    int main(void) {
        struct n *list = NULL;
        while (input()) {
            struct n *n = malloc(sizeof *n);
            n->v = input(); n->next = list; list = n;
        }
        int sum = 0;
        for (struct n *n = list; n; n = n->next) sum += n->v;
        assert(sum != 12);
        return 10 / (sum - 5);
    }
    """
    settings = Settings(ALL - {"cleanup"}, Malloc.MAY_FAIL)
    first, second = (searched(tmp_path, body, settings) for _ in range(2))
    assert first == second
    assert len(first.findings) >= 3


def test_finding_tells_the_run(tmp_path: Path) -> None:
    body = """
    static void put(int *a, int i) { a[i] = 7; }
    int main(void) {
        int *a = calloc(4, sizeof *a);
        put(a, input());
        free(a);
        return 0;
    }
    """
    finding = only(searched(tmp_path, body, Settings()))
    line = HEAD.count("\n")
    assert (finding.rule, finding.property) == ("out-of-bounds", "memory-safety")
    assert (finding.procedure, finding.at.line) == ("put", line + 2)
    assert [(note.text, note.at.line, note.depth) for note in finding.stack] == [
        ("put", line + 2, 1),
        ("main", line + 5, 0),
    ]
    assert [(given.source, given.at.line) for given in finding.inputs] == [
        ("__VERIFIER_nondet_int", line + 5)
    ]
    assert finding.trace
    assert finding.values
    assert "heap block of 16 bytes" in finding.block
    assert finding.message
    assert finding.replay == f"--values {values(finding)[0]} --seed 0"


def test_replay_names_property_and_natives(tmp_path: Path) -> None:
    body = "int main(void) { return 1 / input(); }"
    settings = Settings(frozenset({"division"}), natives=Natives.MODELS_ONLY)
    assert only(searched(tmp_path, body, settings)).replay == (
        "--values 0 --seed 0 --models-only --property division"
    )


def test_endless_program_does_not_hang(tmp_path: Path) -> None:
    bodies = (
        "int main(void) { for (;;) ; }",
        "int main(void) { for (;;) input(); }",
        "int main(void) { int x = input(); while (x != 5) x ^= 1; return 0; }",
        "static int f(int n) { return f(n + 1) + 1; } int main(void) { return f(input()); }",
    )
    for body in bodies:
        start = time.monotonic()
        limits = SearchLimits(runs=50, steps=1_000_000)
        assert searched(tmp_path, body, Settings(), limits=limits).findings == ()
        assert time.monotonic() - start < 20


def test_stops_when_the_time_is_over(tmp_path: Path) -> None:
    body = "int main(void) { int x = input(); for (;;) x++; }"
    limits = SearchLimits(steps_per_run=1 << 40, steps=1 << 60)
    start = time.monotonic()
    result = searched(tmp_path, body, Settings(), Budget(seconds=0.5), limits)
    assert time.monotonic() - start < 5
    assert result.exhausted == "time"


def test_stops_when_runs_and_steps_are_used_up(tmp_path: Path) -> None:
    body = "int main(void) { int s = 0; while (input() != 9) s += input() > 3; return s; }"
    runs = searched(tmp_path, body, Settings(), limits=SearchLimits(runs=40))
    assert (runs.runs, runs.exhausted) == (40, "runs")
    steps = searched(tmp_path, body, Settings(), limits=SearchLimits(steps=100))
    assert steps.exhausted == "steps"


def test_runs_may_ask_at_different_places(tmp_path: Path) -> None:
    body = """
    int main(void) {
        int x = input();
        __VERIFIER_assume(x > 0 && x < 1000);
        if (x * x * x == 54872) {
            unsigned y = __VERIFIER_nondet_uint();
            if (y == 77) reach_error();
        } else {
            int y = input();
            if (y == 5) return 1;
        }
        return 0;
    }
    """
    assert values(only(searched(tmp_path, body, Settings()))) == [38, 77]


def test_tells_of_progress(tmp_path: Path) -> None:
    events: list[Event] = []
    body = "int main(void) { int s = 0; while (input() != 9) s += input() > 3; return s; }"
    searched(tmp_path, body, Settings(), Budget(on_event=events.append), SearchLimits(runs=250))
    assert [event.done for event in events] == [100, 200]


def test_can_be_cancelled(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        searched(
            tmp_path, "int main(void) { return 0; }", Settings(), Budget(cancelled=lambda: True)
        )


def test_program_without_an_entry(tmp_path: Path) -> None:
    assert searched(tmp_path, "int f(void) { return 0; }", Settings()) == SearchResult((), 0, "")
