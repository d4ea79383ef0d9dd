"""What is said of an obligation that stays open: what may fail, and of which block."""

from __future__ import annotations

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import checked, lowered

HEAD = "#include <stdlib.h>\nint input(int *v) { return v[0]; }\nint *g;\n"

OPEN = (
    ("null", "int *p = malloc(4); *p = 1; free(p);", ["the pointer may be null"]),
    (
        "null field",
        "struct s { long a, b; } *p = malloc(16); p->b = 1; free(p);",
        ["the pointer may be null"],
    ),
    (
        "freed",
        "int *p = malloc(4); if (!p) exit(0); free(p); *p = 1;",
        ["the block of line 4 may be freed"],
    ),
    (
        "freed on one way",
        "int *p = malloc(4); if (!p) exit(0); if (c > 3) free(p); *p = 1; if (c <= 3) free(p);",
        ["the block of line 4 may be freed"],
    ),
    (
        "freed twice",
        "int *p = malloc(4); free(p); free(p);",
        ["the block of line 4 may be freed"],
    ),
    ("left", "int t[3]; t[c & 3] = 1;", ["t may be left"]),
    ("scope", "int *p; { int x = 1; p = &x; } *p = 2;", ["x may be out of scope"]),
    ("constant", 'char *p = "abc"; *p = 1;', ["must not be written"]),
    ("number", "int *p = (int *)(long)123456; *p = 1;", ["the pointer may be a number"]),
    ("no value", "int *p; *p = 1;", ["the pointer may have no value"]),
    (
        "no block of malloc",
        "int x; int *p = &x; free(p);",
        ["x may not be a block of malloc, or not at its start"],
    ),
    (
        "two of them",
        "int *p = malloc(4); if (c > 3) free(p); *p = 1; if (c <= 3) free(p);",
        ["the pointer may be null, or the block of line 4 may be freed"],
    ),
    (
        "lost",
        "int *p = malloc(4); int *q = malloc(8);\np = q; free(p);",
        ["the last pointer to the block of line 4 may be lost"],
    ),
    (
        "asked of a call",
        "int *p = c > 3 ? &c : 0; return input(p);",
        ["input needs that v is not null"],
    ),
    (
        "of one value alone",
        "int x = 1, *p = c > 3 ? &x : malloc(4); if (c > 3) *p = 1; else if (p) free(p);\n"
        "if (c > 3) { *p = 2; } else { *p = 3; }",
        ["the pointer may be null, or the block of line 4 may be freed"],
    ),
)


@pytest.mark.parametrize(("body", "expected"), [o[1:] for o in OPEN], ids=[o[0] for o in OPEN])
def test_what_may_fail_is_named(body: str, expected: list[str]) -> None:
    result = checked(lowered(f"{HEAD}int main(int c, char **v) {{ {body} return 0; }}\n"))
    told = {doubt.why for doubt in result.doubts.values()}
    assert len(told) == len(expected), told
    for text in expected:
        assert any(text in why for why in told), told


SEVERAL = """#include <stdlib.h>
struct n { struct n *next; };
int main(int c, char **v) {
  struct n *l = 0, *x;
  for (int i = 0; i < c; i++) { x = malloc(sizeof *x); if (!x) exit(0); x->next = l; l = x; }
  if (l && l->next) { free(l->next); l->next->next = 0; }
  exit(0);
}
"""


def test_one_of_the_blocks_of_a_step() -> None:
    told = {doubt.why for doubt in checked(lowered(SEVERAL)).doubts.values()}
    assert any(", or a block of line 5 may be freed" in why for why in told), told


def test_what_is_left_at_the_end() -> None:
    source = f"{HEAD}int main(void) {{ g = malloc(4); return 0; }}\n"
    program = lowered(source, properties=("memory-safety", "cleanup"))
    told = {doubt.why for doubt in checked(program, properties=("cleanup",)).doubts.values()}
    assert "the block of line 4 may still be allocated" in told


def test_what_an_unknown_step_may_have_freed() -> None:
    """`f` frees through a pointer that is made of a number."""
    source = """#include <stdlib.h>
    void f(long n) { free((void *)(n ^ 21)); }
    int main(int c, char **v) { int *p = malloc(4); if (!p) return 0; f(c); *p = 1; return 0; }
    """
    told = {doubt.why for doubt in checked(lowered(source)).doubts.values()}
    assert any("a step that is not known may have freed the block of line 3" in why for why in told)
    lost = (
        "the last pointer to a block may be lost, as nothing is known of memory after a step before"
    )
    assert lost in told


ARGUMENTS = """
static char **args;
static int first(void) { return args[1][0]; }
int main(int count, char **given) { args = given; return count > 1 ? first() : 0; }
"""


def test_in_an_inlined_body_what_the_entry_was_given_has_its_names() -> None:
    told = {doubt.why for doubt in checked(lowered(ARGUMENTS), Calls.INLINE).doubts.values()}
    assert any("what given[1] leads to" in why for why in told), told
