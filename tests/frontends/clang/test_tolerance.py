"""What cannot be lowered, or what clang refuses and gcc takes, costs one statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.frontends.clang.body import STATEMENTS, Body
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.kinds import Kind
from precis.ir.instr import Return, Unreachable, Unsupported, successors
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower, unsupported

LOST_CODE = {
    "arm_of_a_conditional": "int y = x > 3 ? __builtin_unknown_thing(x) : 2;",
    "cases_behind_a_condition": """
        switch (x) { if (__builtin_unknown_thing(x)) { case 2: x = 3; } }""",
}


@pytest.mark.parametrize("name", LOST_CODE)
def test_what_is_not_lowered_is_no_place_that_runs_never_reach(name: str, tmp_path: Path) -> None:
    """Every way through a statement that is lost meets an Unsupported step."""
    main = lower(f"int main(void) {{ int x = 2; {LOST_CODE[name]} return 7; }}", tmp_path)
    blocks = main.procedures["main"].blocks
    waiting, seen = [0], {0}
    while waiting:
        block = blocks[waiting.pop()]
        if any(isinstance(step, Unsupported) for step in block.steps):
            continue
        assert not isinstance(block.end, Unreachable | Return)
        new = [to for to in successors(block.end) if to not in seen]
        waiting += new
        seen.update(new)


TOLERATED = {
    "nested_function": ("int t(int x) { return x; } return t(1);", "nested function"),
    "array_in_a_struct": ("struct { int a[x]; } s; return sizeof s;", "array of variable length"),
    "builtin": ("return __builtin_unknown_thing(x);", "unknown"),
    "operands": ('asm("foo" : : "@zz"(x)); return 0;', "assembler code"),
}


@pytest.mark.parametrize("name", TOLERATED)
def test_what_only_gcc_takes_costs_a_statement(name: str, tmp_path: Path) -> None:
    statements, reason = TOLERATED[name]
    source = f"int f(int x) {{ {statements} }}\nint main(void) {{ return f(1); }}"
    program = lower(source, tmp_path)
    assert violations(program) == ()
    assert any(reason in step.reason for step in unsupported(program))
    main = program.procedures["main"]
    assert not any(isinstance(step, Unsupported) for block in main.blocks for step in block.steps)


def test_attributes_that_only_clang_minds_are_passed_over(tmp_path: Path) -> None:
    source = """
    void f(void); void f(void) __attribute__((warning("no"))); void f(void) { }
    void *__builtin___memmove_chk(void *, void const *, unsigned int, unsigned int);
    __attribute__((hot, cold)) int main(void) { f(); return 0; }"""
    assert list(unsupported(lower(source, tmp_path))) == []


def test_an_error_of_ours_costs_one_procedure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_body: Body, _node: Node) -> None:
        raise IndexError("no such child")

    monkeypatch.setitem(STATEMENTS, Kind.WHILE_STMT, fail)
    source = "int f(int x) { while (x) x--; return x; }\nint main(void) { return f(1); }"
    program = lower(source, tmp_path)
    assert violations(program) == ()
    (step,) = unsupported(program)
    assert "bug in Precis" in step.reason
    assert "no such child" in step.reason


def test_complex_members_are_no_crash(tmp_path: Path) -> None:
    source = "int main(void) { struct { float _Complex z; int n; } s = { 1, 2 }; return s.n; }"
    assert any("_Complex float" in step.reason for step in unsupported(lower(source, tmp_path)))
