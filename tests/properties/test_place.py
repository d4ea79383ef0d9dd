"""Which obligations each property puts before which line of a C program."""

from __future__ import annotations

import pytest

from precis.cli.wiring import Reading, load
from precis.errors import InputError
from precis.ir.instr import Check
from precis.ir.program import Program
from precis.ir.wellformed import violations
from precis.properties.place import NAMES, chosen, with_obligations

SOURCE = """\
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct s { unsigned bits : 3; char text[8]; };
static int f(struct s *p, int a, int (*g)(int)) {
    int unset;
    p->bits = 1;
    a = p->bits + a;
    memcpy(p->text, "abc", 4);
    memset(p->text, 0, a);
    unsigned u = a;
    u = u + 1;
    u = u << a;
    a = a % 7;
    a = a / a;
    a = a / -1;
    a = -a;
    if (a == 1) unset = 2;
    a = unset;
    a = (int)(3.0 / a);
    a = g(a);
    unsigned char *q = (unsigned char *)p->text + a;
    *q = 1;
    unsigned char c = *q;
    free(p);
    return a + c;
}
int main(void) {
    int x = f(malloc(sizeof(struct s)), 1, abs);
    if (x == 77) reach_error();
    exit(x);
}
"""

# line -> obligations, for each property alone; memory-safety always stands
EXPECTED = {
    "memory-safety": {
        7: ["ValidWrite"],
        8: ["ValidRead"],
        9: ["ValidRead", "ValidWrite"],
        10: ["ValidWrite"],
        21: ["ValidCall"],
        23: ["ValidWrite"],
        24: ["ValidRead"],
        25: ["ValidFree"],
    },
    "overflow": {
        8: ["NoOverflow"],
        13: ["ShiftInRange"],
        15: ["NoOverflow"],
        16: ["NoOverflow"],
        17: ["NoOverflow"],
        26: ["NoOverflow"],
    },
    "division": {15: ["NonZero"]},
    "uninitialised": {
        8: ["InitialisedMemory"],
        19: ["InitialisedVariable"],
        26: ["InitialisedVariable"],
    },
    "assertions": {30: ["NeverReached"]},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("c") / "program.c"
    path.write_text(SOURCE, "utf-8")
    return load(path, Reading())


def _obligations(program: Program, names: tuple[str, ...]) -> dict[int, list[str]]:
    """The obligations in user code, by line."""
    found: dict[int, list[str]] = {}
    for procedure in program.procedures.values():
        if not procedure.library and procedure.name in names:
            for block in procedure.blocks:
                for step in block.steps:
                    if isinstance(step, Check):
                        found.setdefault(step.at.line, []).append(type(step.obligation).__name__)
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_obligations_of_a_property(program: Program, name: str) -> None:
    bare = _obligations(with_obligations(program, frozenset()), ("f", "main"))
    placed = _obligations(with_obligations(program, frozenset({name})), ("f", "main"))
    if name == "memory-safety":
        assert placed == bare == EXPECTED[name]
        return
    extra = {
        line: [kind for kind in kinds if kind not in bare.get(line, [])]
        for line, kinds in placed.items()
    }
    assert {line: kinds for line, kinds in extra.items() if kinds} == EXPECTED[name]


def test_blocks_can_be_lost_where_references_go_away(program: Program) -> None:
    placed = _obligations(with_obligations(program, frozenset({"leaks"})), ("f",))
    lines = {line for line, kinds in placed.items() if "NotLost" in kinds}
    assert {7, 9, 10, 22, 23, 25, 26} <= lines
    assert not {8, 11, 12, 14} & lines


def test_all_must_be_freed_at_every_end(program: Program) -> None:
    placed = with_obligations(program, frozenset({"cleanup"}))
    ends = [
        (procedure.name, type(step.obligation).__name__)
        for procedure in placed.procedures.values()
        for block in procedure.blocks
        for step in block.steps
        if isinstance(step, Check) and type(step.obligation).__name__ == "AllFreed"
    ]
    assert ends
    assert "f" not in dict(ends)


def test_placing_twice_is_placing_once(program: Program) -> None:
    properties = frozenset(NAMES)
    once = with_obligations(program, properties)
    assert with_obligations(once, properties) == once
    assert not violations(once)


def test_names() -> None:
    assert chosen(("leaks",), ("memory-safety",)) == {"leaks"}
    assert chosen((), ("memory-safety",)) == {"memory-safety"}
    with pytest.raises(InputError, match="unknown property 'speed'"):
        chosen(("speed",), ())
