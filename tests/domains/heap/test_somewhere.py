"""Pointers that are read at an index into memory of callers: they are named after the step."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.engine.results import Result, Status, Verdict
from precis.engine.verify import Mode
from tests.domains.heap.analysing import verified

PROPERTIES = ("memory-safety", "assertions")
HEAD = "#include <assert.h>\n#include <stdlib.h>\nstruct s { int x; struct s *next; };\n"
SUM = """int sum(struct s **a, int n) {
  int t = 0;
  for (int i = 0; i < n; i++) { struct s *p = a[i]; if (p) { p->x = i; t += p->x; } }
  return t;
}
"""


def checked(source: str, mode: Mode, folder: Path | None = None) -> Result:
    return verified(HEAD + source, mode, PROPERTIES, folder)


def test_what_is_needed_of_an_element_is_asked_of_callers() -> None:
    result = checked(SUM, Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert any("what is read (line 6) from a" in p.text for p in result.preconditions)


def test_a_caller_hands_it_on() -> None:
    use = "int use(struct s **a, int n, int *out) { *out = 3; sum(a, n); return *out; }\n"
    result = checked(SUM + use, Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    texts = [p.text for p in result.preconditions if p.procedure == "use"]
    assert any("what is read (line 6 from 9) from a" in text for text in texts)
    assert any("out and a point to the same object" in text for text in texts)


def test_one_that_was_freed_before_is_not_freed_again() -> None:
    result = checked(
        "void drop(int **a, int n) { for (int i = 0; i < n; i++) free(a[i]); }", Mode.LIBRARY
    )
    (drop,) = (p for p in result.procedures if p.name == "drop")
    shown = [line for summary in drop.summaries for line in summary]
    assert any("frees what is read before (line 4) from a" in line for line in shown)


def test_what_was_written_through_one_before_is_known() -> None:
    """The newest one need not be it: a caller's own name for it may lead there all the same."""
    source = """int *set(int **a, int n) {
        int *q = 0; for (int i = 0; i < n; i++) { q = a[i]; *q = 7; } return q; }
      void use(int **a, int n) {
        int *p = a[5]; *p = 100; int *last = set(a, n); if (last != p) assert(*p == 100); }"""
    result = checked(source, Mode.LIBRARY)
    (written,) = (p for p in result.procedures if p.name == "set")
    shown = [line for summary in written.summaries for line in summary]
    assert any(line.startswith("  *what is read before (line 5) from a = ") for line in shown)
    assert not any(o.status is Status.PROVED for o in result.obligations if o.at.line == 7)


WRONG = {
    "another element is the same": (
        """static void walk(int **a, int n) {
             int *old = 0;
             for (int i = 0; i < n; i++) {
               int *p = a[i];
               if (old) { *old = 1; *p = 2; assert(*old == 1); }
               old = p; } }
           int main(void) { int x; int *a[2] = {&x, &x}; walk(a, 2); return 0; }""",
        8,
    ),
    "an element was put there before": (
        """static int put(int **a, int k, int i, int *q) {
             a[k * k] = q; int *p = a[i * i]; *p = 4; return *q; }
           int main(void) { int x = 0, z = 0; int *a[2] = {&x, &x};
             assert(put(a, 1, 1, &z) == 0); return 0; }""",
        7,
    ),
    "an element of the caller is written": (
        """static void set(int **a, int n) { for (int i = 0; i < n; i++) *a[i] = 5; }
           int main(void) { int x = 1; int *a[2] = {&x, &x}; set(a, 2);
             assert(x == 1); return 0; }""",
        6,
    ),
    "an element is a global": (
        """static int g;
           static void fill(int **a, int n) { for (int i = 0; i < n; i++) *a[i] = i; }
           int main(void) { int *a[2] = {&g, &g}; g = 7; fill(a, 2);
             assert(g == 7); return 0; }""",
        7,
    ),
    "two reads in two calls": (
        """static int *at(int **a, int n) {
             int *r = 0; for (int i = 0; i < n; i++) r = a[i]; return r; }
           static void twice(int **a) {
             int *p = at(a, 1), *q = at(a, 2); if (!p || !q) return; *p = 1; *q = 2;
             assert(*p == 1); }
           int main(void) { int x; int *a[2] = {&x, &x}; twice(a); return 0; }""",
        8,
    ),
    "an element is freed twice": (
        """static void drop(int **a, int n) { for (int i = 0; i < n; i++)
             free(a[i]); }
           int main(void) { int *p = malloc(4); int *a[2] = {p, p}; drop(a, 2); return 0; }""",
        5,
    ),
    "an element is used after it was freed": (
        """static void drop(int **a, int n) { for (int i = 0; i < n; i++) free(a[i]); }
           int main(void) { int *p = malloc(4); int *a[2] = {p, 0}; drop(a, 2);
             if (p) *p = 1; return 0; }""",
        6,
    ),
    "an element is null": (
        """struct n { struct n *kids[4]; int k; };
           static int count(struct n *t) {
             int s = t->k;
             for (int i = 0; i < s; i++) s += count(t->kids[i]); return s; }
           int main(void) { struct n a = {{0}, 0}, b = {{&a, 0}, 2}; return count(&b); }""",
        6,
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_goes_wrong_is_not_proved(what: str) -> None:
    source, line = WRONG[what]
    result = checked(source, Mode.PROGRAM)
    assert result.verdict is Verdict.UNKNOWN
    there = [one for one in result.obligations if one.at.line == line]
    assert any(one.status is Status.OPEN for one in there)


def test_such_summaries_are_stored(tmp_path: Path) -> None:
    first = checked(SUM, Mode.LIBRARY, tmp_path)
    again = checked(SUM, Mode.LIBRARY, tmp_path)
    assert [p.text for p in again.preconditions] == [p.text for p in first.preconditions]
    assert sum(p.recalled for p in again.stages) > sum(p.recalled for p in first.stages)
