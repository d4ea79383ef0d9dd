"""What is still known after a step that nobody knows: a write or a free through any address."""

from __future__ import annotations

import pytest

from tests.domains.heap.analysing import checked, lowered

HEAD = """#include <assert.h>
#include <stdlib.h>
static int number, *cell;
static const int fixed[2] = {3, 4};
static const char *const names[2] = {"a", "b"};
static void writes(long n) { *(int **)(n ^ 21) = 0; }
static void frees(long n) { free((void *)(n ^ 21)); }
"""

# What may be gone or changed has to stay open in its line, 8.
WRONG = (
    ("a heap block", "int *p = malloc(4); if (!p) return 0; frees(c);\n*p = 1;"),
    (
        "a heap block that a global leads to",
        "cell = malloc(4); if (!cell) return 0; frees(c);\n*cell = 1;",
    ),
    ("a pointer in a local", "int x, *p = &x, **q = &p; writes(c);\nreturn **q;"),
    ("a pointer in a global", "cell = &number; writes(c);\nreturn *cell;"),
    ("a number in a local", "int x = 1, *p = &x; writes((long)p);\nassert(*p == 1);"),
    ("a number in a global", "number = 1; writes(c);\nassert(number == 1);"),
    ("a block made before that is freed after", "int *p = malloc(4); frees(c);\nfree(p);"),
    ("the end of a scope", "int *p; { int x; p = &x; frees(c); }\n*p = 1;"),
)

# No run that goes on makes these wrong.
RIGHT = (
    ("a local is there", "int x, *p = &x; frees(c);\n*p = 1;"),
    ("a global is there", "frees(c);\nnumber = 1; return number;"),
    ("an array is there", "int t[4]; writes(c);\nt[c & 3] = 1;"),
    ("constants are as they were", "writes(c);\nassert(fixed[1] == 4 && names[0][0] == 'a');"),
    ("a variable whose address is never taken", "int x = c; writes(c);\nassert(x == c);"),
)


def open_lines(body: str) -> set[int]:
    source = f"{HEAD}int main(int c, char **v) {{ {body}\n return 0; }}\n"
    result = checked(lowered(source))
    assert not result.wrong and not result.stopped
    return {doubt.at.line for doubt in result.doubts.values()}


@pytest.mark.parametrize("body", [body for _, body in WRONG], ids=[name for name, _ in WRONG])
def test_what_may_have_changed_stays_open(body: str) -> None:
    assert 9 in open_lines(body)


@pytest.mark.parametrize("body", [body for _, body in RIGHT], ids=[name for name, _ in RIGHT])
def test_what_cannot_have_changed_is_known(body: str) -> None:
    assert 9 not in open_lines(body)
