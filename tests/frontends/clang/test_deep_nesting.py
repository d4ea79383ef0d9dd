"""Input that nests deeply gives a program or a clear message, and never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.errors import InputError
from precis.ir.values import subterms
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower

HEAD = "int f(int); int main(void) { int a = 1; "
DEEP = {
    "sum": HEAD + "return " + "+".join(["a"] * 20_000) + "; }",
    "else_if": HEAD + "else ".join(f"if (a == {i}) a = 0; " for i in range(2_000)) + "return a; }",
    "minus": HEAD + "return " + "- " * 20_000 + "a; }",
    "conditional": HEAD
    + "return "
    + "\n".join(f"a == {i} ? {i} :" for i in range(4_000))
    + " 3; }",
    "and": HEAD + "return " + "&&\n".join(["a"] * 4_000) + "; }",
    "calls": HEAD + "return " + "f(" * 2_000 + "a" + ")" * 2_000 + "; }",
    "blocks": HEAD + "{" * 4_000 + "a++;" + "}" * 4_000 + "return a; }",
    "loops": HEAD + "while (a) " * 2_000 + "a--; return a; }",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_program(name: str, tmp_path: Path) -> None:
    try:
        program = lower(DEEP[name], tmp_path)
    except InputError as error:
        assert "nest" in str(error)
        return
    assert violations(program) == ()
    for block in program.procedures["main"].blocks:
        for step in block.steps:
            value = getattr(step, "value", None)
            assert value is None or len(list(subterms(value))) < 500


def test_too_many_parentheses_are_refused(tmp_path: Path) -> None:
    source = HEAD + "return " + "(" * 200_000 + "a" + ")" * 200_000 + "; }"
    with pytest.raises(InputError):
        lower(source, tmp_path)
