"""Obligations of callees that are their callers' business."""

from __future__ import annotations

from precis.engine.results import Status, Verdict
from precis.engine.verify import Mode, Searching
from tests.checking import check, lines

HEAD = (
    "#include <stdlib.h>\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "static int at(int *p, int i) { return p[i]; }\n"
)


def test_discharged_at_one_caller_broken_at_another() -> None:
    good = HEAD + "int main(void) { int a[3] = {1, 2, 3}; return at(a, 2); }\n"
    assert check(good).verdict is Verdict.SAFE
    both = HEAD + (
        "int main(void) {\n    int a[3] = {1, 2, 3}, x = at(a, 2);\n    return x + at(a, 3);\n}\n"
    )
    result = check(both)
    assert result.verdict is Verdict.UNSAFE
    (finding,) = result.findings
    assert (finding.rule, finding.at.line) == ("out-of-bounds", 3)
    assert [note.at.line for note in finding.stack] == [3, 6]


def test_open_through_recursion() -> None:
    source = HEAD + (
        "static int down(int *a, int n) { return n <= 0 ? at(a, n) : down(a, n - 1); }\n"
        "int main(void) { int a[3] = {1, 2, 3}; return down(a, __VERIFIER_nondet_int()); }\n"
    )
    result = check(source, search=Searching.OFF)
    assert result.verdict is Verdict.UNKNOWN
    assert 3 in lines(result, Status.OPEN)
    assert "may be left" in result.reason
    assert check(source).verdict is Verdict.UNSAFE
    assert check(source.replace("at(a, n)", "at(a, 0)")).verdict is Verdict.SAFE


def test_open_through_a_function_pointer() -> None:
    source = HEAD + (
        "static int first(int *p, int i) { return i ? 0 : *p; }\n"
        "int main(void) {\n"
        "    int (*how)(int *, int) = __VERIFIER_nondet_int() ? first : at;\n"
        "    int a[2] = {1, 2};\n"
        "    return how(a, __VERIFIER_nondet_int() ? 1 : 2);\n"
        "}\n"
    )
    still_open = check(source, search=Searching.OFF)
    assert still_open.verdict is Verdict.UNKNOWN
    assert lines(still_open, Status.OPEN) == {3}
    result = check(source)
    assert result.verdict is Verdict.UNSAFE
    assert result.findings[0].at.line == 3
    assert check(source.replace("? 1 : 2", "? 1 : 0")).verdict is Verdict.SAFE


def test_library_needs_climb_to_the_visible_caller() -> None:
    source = HEAD + (
        "int third(int *q) { return q ? at(q, 2) : 0; }\n"
        "int safely(void) { int a[3] = {0}; return third(a); }\n"
    )
    result = check(source, mode=Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert [p.procedure for p in result.preconditions] == ["third"]
    assert "q != NULL" in result.preconditions[0].text


def test_exit_deep_in_a_callee_with_memory_of_three_callers() -> None:
    source = (
        "#include <stdlib.h>\n"
        "static void deep(int n) { if (n) exit(3); }\n"
        "static void one(int n) { char *p = malloc(1); deep(n); free(p); }\n"
        "static void two(int n) { char *p = malloc(2); one(n); free(p); }\n"
        "int main(void) { char *p = malloc(3); two(%s); free(p); return 0; }\n"
    )
    asked = ("memory-safety", "cleanup")
    assert check(source % "0", asked).verdict is Verdict.SAFE
    broken = check(source % "1", asked)
    assert broken.verdict is Verdict.UNSAFE
    assert broken.findings[0].rule == "not-freed"
    still_open = check(source % "1", asked, search=Searching.OFF)
    assert still_open.verdict is Verdict.UNKNOWN
    assert "still be allocated" in still_open.reason


def test_exit_deep_in_a_callee_when_all_is_freed() -> None:
    source = (
        "#include <stdlib.h>\n"
        "static void deep(void) { exit(3); }\n"
        "static void one(void) { char *p = malloc(1); free(p); deep(); }\n"
        "int main(void) { one(); return 0; }\n"
    )
    assert check(source, ("memory-safety", "leaks", "cleanup")).verdict is Verdict.SAFE
