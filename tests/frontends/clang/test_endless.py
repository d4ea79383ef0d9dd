"""Calls of functions that are declared not to return, and have no body."""

from __future__ import annotations

import pytest

from precis.cli.wiring import plans
from precis.engine.budget import Budget
from precis.engine.results import Verdict
from precis.engine.verify import Options, Searching, verify
from precis.frontends.clang.endless import is_endless
from precis.frontends.clang.link import Extent
from precis.ir.instr import Unreachable
from precis.ir.wellformed import violations
from tests.domains.heap.analysing import lowered

PROPERTIES = frozenset({"memory-safety", "assertions"})

DECLARED = {
    "after": "void die(const char *, ...) __attribute__((__noreturn__));",
    "before": "__attribute__((noreturn)) void die(const char *, ...);",
    "a word of C": "_Noreturn void die(const char *, ...);",
    "by a header": "#include <stdnoreturn.h>\nnoreturn void die(const char *, ...);",
    "declared twice": "void die(const char *, ...);\n"
    "void die(const char *, ...) __attribute__((noreturn));",
}
RETURNING = {
    "nothing said": "void die(const char *, ...);",
    "what it is given does not return": "typedef void end(void) __attribute__((noreturn));\n"
    "void die(const char *, ...); void other(end *);",
    "a body, which counts": "static void die(const char *, ...) __attribute__((noreturn));\n"
    "static void die(const char *text, ...) { (void)text; }",
}
USE = '\nint use(int *p) { if (!p) die("no pointer"); return *p; }\n'


def ends_after_the_call(declared: str) -> bool:
    program = lowered(declared + USE, extent=Extent.EVERYTHING)
    assert not violations(program)
    use = program.procedures["use"]
    return any(isinstance(block.end, Unreachable) for block in use.blocks)


@pytest.mark.parametrize("how", DECLARED)
def test_nothing_comes_after_the_call(how: str) -> None:
    assert ends_after_the_call(DECLARED[how])


@pytest.mark.parametrize("how", RETURNING)
def test_others_return(how: str) -> None:
    assert not ends_after_the_call(RETURNING[how])


@pytest.mark.parametrize(
    ("head", "type_", "endless"),
    [
        ("void f(int)", "void (int) __attribute__((noreturn))", True),
        ("void f(int) _Noreturn", "void (int)", True),
        ("void f(void (*g)(void) __attribute__((noreturn)))",
         "void (void (*)(void) __attribute__((noreturn)))", False),
        ("void (*f(void))(int)", "void (*(void))(int) __attribute__((noreturn))", False),
    ],
)  # fmt: skip
def test_what_is_said_of_something_else_does_not_count(
    head: str, type_: str, endless: bool
) -> None:
    assert is_endless(head, type_) is endless


def test_what_stands_behind_is_no_reason_to_doubt() -> None:
    """That control does not come back is known, not hoped for: nothing is given up there."""
    source = (
        DECLARED["after"]
        + """
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int *p = 0;
            if (__VERIFIER_nondet_int()) { die("no pointer"); *p = 1; }
            return 0;
        }"""
    )
    placed = lowered(source, properties=tuple(sorted(PROPERTIES)))
    assumed = frozenset({19})
    options = Options(PROPERTIES, search=Searching.OFF, assumed=assumed)
    stages = plans(("values", "heap"), placed, options)
    assert verify(placed, "test", stages, options, Budget(20.0)).verdict is Verdict.SAFE
