"""What summaries take for granted of callers is a precondition of a library, or an assumption."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from precis.domains.heap.domain import Heap
from precis.engine.activation import ONE_STATE
from precis.engine.analysis import Plan, analyse
from precis.engine.budget import Budget
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import lowered

OVERLAP = """
#include <assert.h>
void f(int *p, char *q) { *p = 1; *q = 5; assert(*p == 1 || *p == 5); }
"""
LOST = "void g(int **slot) { *slot = 0; }\n"
WRONG = """
#include <stdlib.h>
void bad(void) { int *p = malloc(4); if (p) *p = 1; }
"""
UNKNOWN = "void call(void (*fn)(int), int x) { fn(x); }\n"
DROP = """
#include <stdlib.h>
struct buffer { char *data; };
void drop(struct buffer *b) { free(b->data); b->data = 0; }
void twice(struct buffer *b) { drop(b); drop(b); }
"""
OUTSIDE = "int other(int x);\nint f(int *p) { *p = 1; other(2); return *p; }\n"
PRINTS = """
#include <stdio.h>
#include <stdlib.h>
void say(const char *name, int *p) { printf("%s\\n", name); *p = 1; }
"""


def check(source: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    (folder / "l.c").write_text(source, "ascii")
    command = [sys.executable, "-m", "precis", "check", "--library", *more, "l.c"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("more", ((), ("--domain", "heap")), ids=("all", "heap"))
def test_that_arguments_do_not_overlap_in_part_is_a_precondition(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    done = check(OVERLAP, tmp_path, *more)
    assert "f: p and q lead to memory that does not overlap" in done.stdout
    assert "verdict: SAFE under" in done.stdout


def test_that_callers_hold_their_blocks_is_an_assumption(tmp_path: Path) -> None:
    done = check(LOST, tmp_path, "--domain", "heap")
    assert "verdict: SAFE under 1 precondition" in done.stdout
    assert "23 (Callers of a library)" in done.stdout


def test_own_blocks_that_are_lost_are_found(tmp_path: Path) -> None:
    done = check(WRONG, tmp_path, "--domain", "heap")
    assert "verdict: UNKNOWN (no block is lost at l.c:3" in done.stdout


def test_code_that_callers_give_is_not_known(tmp_path: Path) -> None:
    done = check(UNKNOWN, tmp_path, "--domain", "heap")
    assert "found" not in done.stdout, "it may be fine: nothing is to be called wrong"
    assert "the function that is called is not known" in done.stdout


def test_preconditions_are_told_step_by_step(tmp_path: Path) -> None:
    done = check(DROP, tmp_path, "--domain", "heap")
    assert "verdict: SAFE under" in done.stdout
    lines = [line.strip() for line in done.stdout.splitlines()]
    leads = "b is live and b leads to a whole buffer"
    first = lines.index(f"drop: b is not null and {leads}")
    assert any("b->data is the start of a heap block" in line for line in lines[first:])


def test_functions_without_a_body_are_assumed_to_be_harmless_on_demand(tmp_path: Path) -> None:
    assert "--assume 19" in check(OUTSIDE, tmp_path, "--domain", "heap").stdout
    done = check(OUTSIDE, tmp_path, "--domain", "heap", "--assume", "19")
    assert "verdict: SAFE under" in done.stdout
    assert "19 (Functions without a body)" in done.stdout


def test_a_text_that_is_printed_stays_open_and_costs_nothing_else(tmp_path: Path) -> None:
    done = check(PRINTS, tmp_path, "--domain", "heap")
    assert "what is printed was not looked at" in done.stdout
    assert "say: p is not null and p is live" in done.stdout
    assert "verdict: UNKNOWN" in done.stdout


LONG = (
    "int a(int *p) { return *p; }\nint z(int *p, int n) { int s = 0; "
    + ("if (n > 1) s += *p; else s -= *p; " * 8)
    + "return s; }\n"
)


def test_what_was_found_before_a_limit_stays() -> None:
    program = lowered(LONG, extent=Extent.EVERYTHING)
    domain = Heap(program, may_fail=True, library=True)
    roots = [(name, None) for name in ("a", "z")]
    result = analyse(program, Plan(domain, ONE_STATE), roots, Budget(states=6))
    assert not result.stopped
    assert [(lost.procedure, lost.step) for lost in result.lost] == [("z", -1)]
    assert {origin.procedure for origin in result.latent} == {"a"}
    assert {p.name: bool(p.given_up) for p in result.procedures} == {"a": False, "z": True}
    nothing = analyse(program, Plan(domain, ONE_STATE), roots[1:], Budget(states=6))
    assert nothing.stopped


BARRED = """
struct wide { long first; };
static int both(int *p, struct wide *q) { *p = 1; q->first = 2; return *p; }
int call(int *a, int n) { return both(a + n, (struct wide *)a); }
"""


def test_an_overlap_under_a_condition_is_asked_of_callers(tmp_path: Path) -> None:
    """The summary of `both` is used, for callers with which its cells are apart."""
    done = check(BARRED, tmp_path, "--domain", "heap", "--property", "memory-safety")
    assert "call: it is not so that a is not null and n >= 0 and n <= 1 and" in done.stdout
    assert "verdict: SAFE under 3 preconditions" in done.stdout


# The summary of `set` is for callers whose pointers lead to different memory; here they do not.
SUPPOSED = """
static int set(int *p, char *q) { *p = 1; q[1] = 2; return *p; }
"""
LEAVES = "int f(void) { int x, t[2] = {0, 0}; return t[set(&x, (char *)&x) == 1 ? 0 : 5]; }\n"
NEVER = "int f(void) { int x; if (set(&x, (char *)&x) == 1) *(int *)0 = 1; return x; }\n"
LATER = """static int last(int *t, int x) { return t[x == 1 ? 0 : 5]; }
static int *table(void) { static int t[2]; return t; }
int f(void) { int x; set(&x, (char *)&x); return last(table(), x); }
"""
AGAIN = """#include <stdlib.h>
struct node { struct node *up; long count; char *data; long size; };
void drop(struct node *n) {
    if (!n) return;
    drop(n->up);
    n->count--;
    if (n->count > 0) return;
    for (long i = 0; i < n->size; i++) n->data[i] = 0;
    n->up = 0;
    free(n->data);
    free(n);
}
"""


@pytest.mark.parametrize("source", [LEAVES, LATER], ids=["inside", "in_another_call"])
def test_what_a_summary_does_not_hold_for_is_one_open_entry(source: str, tmp_path: Path) -> None:
    done = check(SUPPOSED + source, tmp_path, "--domain", "heap")
    assert done.returncode == 5
    assert "nothing goes wrong in set as it is called here" in done.stdout
    assert "what set is given may overlap in part" in done.stdout
    every = check(SUPPOSED + source, tmp_path)  # others have looked into `set`, and find it
    assert every.returncode == 1
    assert "nothing goes wrong in set" not in every.stdout


def test_nothing_is_found_behind_a_call_that_a_summary_may_not_hold_for(tmp_path: Path) -> None:
    done = check(SUPPOSED + NEVER, tmp_path, "--domain", "heap")
    assert done.returncode == 5
    assert "every call of" not in done.stdout
    assert "verdict: SAFE" in check(SUPPOSED + NEVER, tmp_path).stdout  # other analyses know


def test_what_calls_itself_is_open_at_that_call_only(tmp_path: Path) -> None:
    done = check(AGAIN, tmp_path, "--domain", "heap", "--property", "memory-safety")
    assert "open: 1 obligation\n" in done.stdout
    assert "nothing goes wrong in drop as it is called here" in done.stdout


def test_it_is_open_with_a_stored_summary_too(tmp_path: Path) -> None:
    first, second = (
        check(SUPPOSED + LEAVES, tmp_path, "--domain", "heap", "--cache", str(tmp_path / "kept"))
        for _ in range(2)
    )
    assert "nothing goes wrong in set as it is called here" in first.stdout
    assert second.stdout == first.stdout


# A call that gets to the last line, and none before it breaks anything, fails there.
FAILS = (
    ("freed twice", "void f(int *p) { *p = 1; free(p);\nfree(p); }"),
    ("freed twice where it was tested", "void f(int *p) { if (p) { free(p);\nfree(p); } }"),
    ("used after it was freed", "void f(int *p) { free(p);\n*p = 1; }"),
    ("null where it was tested", "void f(int *p) { if (!p)\n*p = 1; }"),
    ("its own array is left", "void f(int n) { int t[3] = {0}; if (n > 2)\nt[n] = 1; }"),
    ("next of what was freed", "void f(struct s *l) { free(l->x); free(l);\nl->next = 0; }"),
    ("after a loop", "void f(int *p, int n) { while (n-- > 0) {} *p = 1; free(p);\n*p = 1; }"),
    ("in a helper", "static void g(int *p) { free(p); } void f(int *p) { *p = 1; g(p);\ng(p); }"),
    ("null for a helper", "static void g(int *p) { *p = 1; } void f(void) {\ng(0); }"),
    (
        "in a helper of a helper",
        "static void g(int *p) { free(p); } static void h(int *p) { g(p); }"
        "void f(int *p, int n) { if (n > 2) { *p = 1; g(p);\nh(p); } }",
    ),
    (
        "in each case",
        "void f(int *p, int n) { switch (n) { case 1: free(p); break; case 2: p = 0; break;"
        " default: return; }\n*p = n; }",
    ),
)
# What callers can see to, and what hangs on something inside, is none.
NO_FAILURE = (
    ("on one way", "void f(int *p, int n) { if (n > 3) free(p);\n*p = 1; }"),
    ("memory may run out", "void f(void) { int *p = malloc(4);\n*p = 1; free(p); }"),
    ("others may not return", "void f(int *p) { *p = 2; free(p); other();\n*p = 1; }"),
    ("another pointer", "void f(int *p, int *q) { *p = 1; free(p);\n*q = 2; }"),
    (
        "a helper that fails for others",
        "static void g(int *p, int n) { if (n) { free(p);\n*p = 1; } } void f(int *p) { g(p, 0); }",
    ),
    (
        "a helper that fails for some",
        "static void g(int *p, int n) { if (n > 3) *p = 1; } void f(int n) {\ng(0, n); }",
    ),
    (
        "a choice inside a helper",
        "static void g(int *p) { int *q = malloc(4); if (q) *p = 1; free(q); }"
        "void f(void) {\ng(0); }",
    ),
    (
        "a helper that need not return",
        "static void g(int n) { if (n) exit(1); } void f(int *p, int n) { *p = 1; free(p); g(n);\n"
        "if (n) *p = 1; }",
    ),
    ("a choice inside", "void f(int *p) { int *q = malloc(4); if (q) { free(q);\n*q = 1; } }"),
)


def found(body: str, folder: Path) -> tuple[int, str]:
    source = (
        f"#include <stdlib.h>\nstruct s {{ int *x; struct s *next; }};\nvoid other(void);\n{body}\n"
    )
    options = ("--domain", "heap", "--assume", "19", "--property", "memory-safety")
    done = check(source, folder, *options)
    return done.returncode, done.stdout


@pytest.mark.parametrize("body", [body for _, body in FAILS], ids=[name for name, _ in FAILS])
def test_what_fails_for_every_call_that_gets_there_is_found(body: str, tmp_path: Path) -> None:
    status, text = found(body, tmp_path)
    assert status == 1
    assert "in every call of f that gets here" in text
    assert text.count("\n  l.c:5:") >= 1


@pytest.mark.parametrize("body", [b for _, b in NO_FAILURE], ids=[name for name, _ in NO_FAILURE])
def test_what_need_not_fail_is_not_found(body: str, tmp_path: Path) -> None:
    status, text = found(body, tmp_path)
    assert status in (0, 5)
    assert "every call of" not in text


ASSERTS = """#include <assert.h>
static void positive(int n) { assert(n > 0); }
void f(int *p, int n) { assert(p); positive(n); *p = n; }
"""


def test_what_is_asserted_of_arguments_is_asked_of_callers(tmp_path: Path) -> None:
    done = check(ASSERTS, tmp_path, "--domain", "heap", "--property", "assertions")
    assert "every call of" not in done.stdout
    assert "f: p is not null" in done.stdout and "f: n >= 1" in done.stdout


def test_it_is_found_with_a_stored_summary_too(tmp_path: Path) -> None:
    source = "#include <stdlib.h>\nvoid f(int *p) { *p = 1; free(p); free(p); }\n"
    options = ("--domain", "heap", "--cache", str(tmp_path / "kept"))
    first, second = (check(source, tmp_path, *options) for _ in range(2))
    assert "in every call of f that gets here" in first.stdout
    assert second.stdout == first.stdout


def test_why_nothing_is_shown_is_told(tmp_path: Path) -> None:
    source = "void f(int *p, long n) { *p = 1; int *q = (int *)(n ^ 21); *q = *p; }\n"
    done = check(source, tmp_path, "--domain", "heap", "--property", "memory-safety")
    assert "nothing is known of where the pointer leads" in done.stdout
