"""The rules that keep verdicts honest, a test for each."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from precis.cli.wiring import plans
from precis.engine.budget import Budget
from precis.engine.confirm import Confirming
from precis.engine.results import Kind, Status, Verdict
from precis.engine.verify import Mode, Options, Searching, verify
from precis.interp.outcome import Malloc
from precis.ir.instr import Spawn
from precis.ir.location import NOWHERE
from precis.ir.procedure import Variable
from precis.ir.types import U64, VOID_POINTER, Function, Pointer
from precis.ir.values import function, null
from tests.checking import DEFAULT, at_line, check, lines, placed

HEAD = (
    "#include <assert.h>\n"
    "#include <stdlib.h>\n"
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n"
)
SMALL = HEAD + "int main(void) { int a[2] = {1, 2}; return a[1]; }\n"


def test_rule_1_only_a_checked_obligation_prunes() -> None:
    """Overflow that is not checked wraps, and what follows is explored."""
    source = HEAD + (
        "int main(void) {\n"
        "    int x = __VERIFIER_nondet_int();\n"
        "    if (x < 2147483647) return 0;\n"
        "    x = x + 1;\n"
        "    assert(x > 0);\n"
        "    return 0;\n"
        "}\n"
    )
    assert check(source, ("assertions",)).verdict is Verdict.UNSAFE
    checked = check(source, ("assertions", "overflow"))
    assert [f.rule for f in checked.findings] == ["signed-overflow"]


def test_rule_1_an_uninitialised_read_is_any_value_each_time() -> None:
    source = HEAD + "int main(void) { int x, a = x, b = x; assert(a == b); return 0; }\n"
    assert check(source, ("assertions",), search=Searching.OFF).verdict is Verdict.UNKNOWN


def test_rule_2_an_obligation_behind_an_open_one_is_conditional() -> None:
    source = HEAD + (
        "int main(void) {\n"
        "    int i = __VERIFIER_nondet_int(), a[4] = {0};\n"
        "    a[i] = 1;\n"
        "    int b[2] = {3, 4};\n"
        "    return b[1];\n"
        "}\n"
    )
    result = check(source, search=Searching.OFF)
    assert result.verdict is Verdict.UNKNOWN
    behind = [r for r in result.obligations if r.status is Status.CONDITIONAL]
    assert behind and all(r.requires for r in behind)
    assert at_line(result, 8, "read").status is Status.CONDITIONAL


def test_rule_3_comparison_with_a_dead_pointer_is_a_choice() -> None:
    source = HEAD + (
        "int main(void) {\n"
        "    char *p = malloc(1); free(p);\n"
        "    char *q = malloc(1); int same = p == q; free(q);\n"
        "    assert(!same);\n"
        "    return 0;\n"
        "}\n"
    )
    assert check(source, search=Searching.OFF).verdict is Verdict.UNKNOWN
    other = source.replace("!same", "same")
    assert check(other, search=Searching.OFF).verdict is Verdict.UNKNOWN


def test_rule_4_separation_of_parameters_is_not_assumed() -> None:
    source = HEAD + "int set(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); return 0; }\n"
    result = check(source, mode=Mode.LIBRARY)
    assert at_line(result, 4, "assertion").status is Status.OPEN


def test_rule_5_an_external_function_may_do_anything_unless_assumed_away() -> None:
    source = HEAD + (
        "extern void elsewhere(int *);\n"
        "int main(void) { int x = 1; elsewhere(&x); int *p = &x; return *p; }\n"
    )
    result = check(source, search=Searching.OFF)
    assert result.verdict is Verdict.UNKNOWN
    assert "elsewhere" in result.reason and "19" in result.reason
    assumed = check(source, assumed=frozenset({19}))
    assert (assumed.verdict, assumed.assumptions) == (Verdict.SAFE, (19,))


def test_rule_6_a_library_is_never_unsafe() -> None:
    result = check(HEAD + "int broken(void) { int *p = NULL; return *p; }\n", mode=Mode.LIBRARY)
    assert result.verdict is Verdict.UNKNOWN
    assert [f.kind for f in result.findings] == [Kind.MANIFEST]


def test_rule_7_manifest_or_latent() -> None:
    get = HEAD + "int get(int *p) { return *p; }\n"
    broken = check(get + "int fails(void) { return get(NULL); }\n", mode=Mode.LIBRARY)
    assert [(f.procedure, f.kind) for f in broken.findings] == [("fails", Kind.MANIFEST)]
    alone = check(get, mode=Mode.LIBRARY)
    assert alone.verdict is Verdict.SAFE and not alone.findings
    assert [p.procedure for p in alone.preconditions] == ["get"]


def test_rule_7_static_functions_are_judged_at_their_callers() -> None:
    source = HEAD + (
        "static int get(int *p) { return *p; }\nint fine(void) { int x = 3; return get(&x); }\n"
    )
    result = check(source, mode=Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE and not result.preconditions


def test_rule_7_a_precondition_of_one_root_does_not_cover_another() -> None:
    """`any` hands on the need of `get`, `some` calls it with what may be null in every run."""
    source = HEAD + (
        "int __VERIFIER_nondet_int(void);\nstatic int x;\n"
        "static int get(int *p) { return *p; }\n"
        "int any(int *p) { return get(p); }\n"
        "int some(void) { return get(__VERIFIER_nondet_int() ? &x : NULL); }\n"
    )
    result = check(source, mode=Mode.LIBRARY)
    assert result.verdict is Verdict.UNKNOWN
    inside = [one for one in result.obligations if one.rule == "invalid-pointer"]
    assert Status.OPEN in {one.status for one in inside if one.procedure == "get"}


def test_rule_7_globals_start_unknown_in_a_library() -> None:
    source = HEAD + "static int level;\nint test(void) { assert(level == 0); return 0; }\n"
    assert check(source, mode=Mode.LIBRARY).verdict is Verdict.UNKNOWN


def test_rule_8_threads_get_no_safe() -> None:
    plain = placed(SMALL)
    main = plain.procedures["main"]
    variables = (*main.variables, Variable("thread", U64, NOWHERE))
    thread = Pointer(Function(VOID_POINTER, (VOID_POINTER,)))
    spawn = Spawn(len(main.variables), function("main", thread), null(VOID_POINTER), NOWHERE)
    first = replace(main.blocks[0], steps=(spawn, *main.blocks[0].steps))
    spawning = replace(main, variables=variables, blocks=(first, *main.blocks[1:]))
    threaded = replace(plain, procedures={**plain.procedures, "main": spawning})
    options = Options(frozenset({"memory-safety"}), Malloc.NEVER_FAILS, search=Searching.OFF)
    result = verify(threaded, "t", plans(("values",), threaded, options), options, Budget(10.0))
    assert result.verdict is Verdict.UNKNOWN
    assert "thread" in result.reason


def test_rule_9_a_property_that_cannot_be_checked_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "p.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    done = subprocess.run(
        [sys.executable, "-m", "precis", "check", "--property", "p.prp", "p.c"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 5
    last = done.stdout.splitlines()[-1]
    assert last.startswith("verdict: UNKNOWN") and "F end" in last


def test_rule_10_a_search_that_finds_nothing_proves_nothing() -> None:
    source = HEAD + (
        "int main(void) {\n"
        "    unsigned x = 1;\n"
        "    while (__VERIFIER_nondet_int()) { x = x * 3 + 1; if (x == 77) x = 1; }\n"
        "    assert(x != 0x87654321u);\n"
        "    return 0;\n"
        "}\n"
    )
    assert check(source).verdict is Verdict.UNKNOWN


def test_rule_10_an_analysis_that_is_cut_off_proves_nothing() -> None:
    program = placed(SMALL)
    options = Options(frozenset({"memory-safety"}), Malloc.NEVER_FAILS, search=Searching.OFF)
    limited = [
        replace(plan, limits=replace(plan.limits, states=0))
        for plan in plans(("values",), program, options)
    ]
    result = verify(program, "t", limited, options, Budget())
    assert result.verdict is Verdict.UNKNOWN
    assert "limit of 0 states" in result.reason
    assert all(row.status is Status.OPEN for row in result.obligations)


def test_rule_11_a_fixpoint_that_does_not_hold_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def uncovered(self: Confirming, activation: Any, block: int, state: Any) -> bool:
        return False

    monkeypatch.setattr(Confirming, "_covered", uncovered)
    result = check(SMALL, search=Searching.OFF)
    assert result.verdict is Verdict.UNKNOWN
    assert result.internal
    assert not lines(result, Status.PROVED)


def test_a_place_that_is_declared_unreachable_and_may_be_reached_ends_what_is_known() -> None:
    source = """
    int __VERIFIER_nondet_int(void);
    int main(void) { if (__VERIFIER_nondet_int()) __builtin_unreachable(); return 0; }"""
    for properties in (("memory-safety",), DEFAULT):
        result = check(source, properties)
        assert result.verdict is Verdict.UNKNOWN
        assert "declared unreachable" in result.reason
