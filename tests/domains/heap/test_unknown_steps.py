"""What is still known after a step that nobody knows: a write or a free through any address."""

from __future__ import annotations

import pytest

from tests.domains.heap.analysing import PROPERTIES, checked, lowered

HEAD = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int number, *cell;
static const int fixed[2] = {3, 4};
static const char *const names[2] = {"a", "b"};
static void writes(long n) { *(int **)(n ^ 21) = 0; }
static void frees(long n) { free((void *)(n ^ 21)); }
static void before(int *p, long n) { *p = 7; writes(n); }
static void after(int *p, long n) { writes(n); *p = 7; }
static int *older(long n) { int *p = malloc(4); if (!p) exit(0); *p = 7; writes(n); return p; }
static int *newer(long n) { writes(n); int *p = malloc(4); if (!p) exit(0); *p = 7; return p; }
static void both(int *a, int *b, long n) { frees(n); *a = 1; free(b); }
static void sometimes(int *p, long n) { frees(n); if (n > 3) *p = 1; }
static void changed(int *p, long n) { *p = 7; frees(n); }
static void exchanged(int **p, long n) { free(*p); *p = 0; frees(n); }
struct two { int a, b; };
"""
LINE = HEAD.count("\n") + 2

# What may be gone or changed has to stay open in its line.
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
    ("what a callee wrote before", "int x; before(&x, c);\nassert(x == 7);"),
    ("a block that a callee made before", "int *p = older(c);\nassert(*p == 7);"),
    ("a copy", "struct two s = {1, 2}, t; writes(c); t = s;\nassert(t.a == 1);"),
    (
        "a copy of what nobody set by itself",
        "struct two *s = calloc(1, 8), t; if (!s) exit(0); writes(c); t = *s;\nassert(t.a == 0);",
    ),
    ("zeros", "int *p = calloc(1, 4); if (!p) exit(0); writes(c);\nassert(*p == 0);"),
    (
        "zeros at an index",
        "int *p = calloc(4, 4); if (!p) exit(0); writes(c); *p = 0;\nassert(p[c & 3] == 0);",
    ),
    (
        "what was written at an index",
        "int t[4] = {0}; t[c & 3] = 0; writes(c);\nassert(t[1] == 0);",
    ),
    (
        "a block that was used between two such steps",
        "int *p = malloc(4); if (!p) exit(0); frees(c); *p = 1; frees(c);\n*p = 1;",
    ),
    (
        "another block than the one that was used",
        "int *p = malloc(4), *q = malloc(4); if (!p || !q) exit(0); frees(c); *p = 1;\n*q = 1;",
    ),
    (
        "one of two blocks, the other of which was used",
        "int *p = malloc(4), *q = malloc(4); if (!p || !q) exit(0);"
        "frees(c); *(c > 2 ? p : q) = 1;\n*q = 1;",
    ),
    (
        "a block that a callee used and freed under another name",
        "int *p = malloc(4); if (!p) exit(0); both(p, p, c);\n*p = 1;",
    ),
    (
        "a block that a callee used on one way",
        "int *p = malloc(4); if (!p) exit(0); sometimes(p, c);\n*p = 1;",
    ),
    (
        "a block of which no byte was used",
        "char *p = malloc(4); if (!p) exit(0); frees(c); memmove(p, p, c > 2 ? 0 : 1);\n*p = 1;",
    ),
    (
        "what a heap block leads to",
        "int **p = malloc(8); if (!p) exit(0); *p = malloc(4); if (!*p) exit(0); int *q = *p;"
        "frees(c); *p = 0;\n*q = 1;",
    ),
    (
        "a block that a callee freed, and another one",
        "int *p = malloc(4), *q = malloc(4); if (!p || !q) exit(0); exchanged(&p, c);\n*q = 1;",
    ),
    (
        "a block in a box that a callee was given",
        "int **p = malloc(8); if (!p) exit(0); *p = 0; exchanged(p, c);\n*p = 0;",
    ),
    (
        "a block that is freed in a loop",
        "int *p = malloc(4); if (!p) exit(0); while (number < c) { frees(number); number++; }"
        "\n*p = 1;",
    ),
    (
        "a block of an earlier turn",
        "int *p = 0, *q; while (number < c) { q = p; p = calloc(1, 4); if (!p) exit(0);"
        "writes(c); if (q) {\nassert(*q == 0);\n} number++; }",
    ),
)

# No run that goes on makes these wrong.
RIGHT = (
    (
        "what memory holds when something is freed",
        "int x = 1, *p = &x, **q = &p; frees(c);\nassert(**q == 1);",
    ),
    (
        "what a global leads to when something is freed",
        "cell = &number; number = 4; frees(c);\nassert(*cell == 4);",
    ),
    (
        "what a heap block holds that is used after it",
        "int *p = malloc(8); if (!p) exit(0); p[1] = 5; frees(c); p[0] = 1;\nassert(p[1] == 5);",
    ),
    ("what a callee wrote before it frees", "int x; changed(&x, c);\nassert(x == 7);"),
    ("a local is there", "int x, *p = &x; frees(c);\n*p = 1;"),
    ("a global is there", "frees(c);\nnumber = 1; return number;"),
    ("constants are as they were", "writes(c);\nassert(fixed[1] == 4 && names[0][0] == 'a');"),
    ("a variable whose address is never taken", "int x = c; writes(c);\nassert(x == c);"),
    ("what is written after it", "writes(c); number = 2;\nassert(number == 2);"),
    ("a member that is written after it", "struct two s; writes(c); s.b = 2;\nassert(s.b == 2);"),
    ("what a callee writes after it", "int x; after(&x, c);\nassert(x == 7);"),
    ("a block that a callee makes after it", "int *p = newer(c);\nassert(*p == 7);\nfree(p);"),
    (
        "a block that is made after it",
        "frees(c); int *p = malloc(4); if (!p) exit(0); *p = 3;\nassert(*p == 3);\nfree(p);",
    ),
    (
        "a block that is used after it",
        "int *p = malloc(4); if (!p) exit(0); frees(c); *p = 1;\n*p = 2;\nfree(p);",
    ),
    (
        "a block of a callee's caller that is used after it",
        "int *p = malloc(4); if (!p) exit(0); after(p, c);\n*p = 2;\nfree(p);",
    ),
)


def open_lines(body: str, properties: tuple[str, ...] = PROPERTIES) -> set[int]:
    source = f"{HEAD}int main(int c, char **v) {{ {body}\n return 0; }}\n"
    result = checked(lowered(source, properties=properties))
    assert not result.wrong and not result.stopped
    return {doubt.at.line for doubt in result.doubts.values()}


@pytest.mark.parametrize("body", [body for _, body in WRONG], ids=[name for name, _ in WRONG])
def test_what_may_have_changed_stays_open(body: str) -> None:
    assert LINE in open_lines(body)


@pytest.mark.parametrize("body", [body for _, body in RIGHT], ids=[name for name, _ in RIGHT])
def test_what_cannot_have_changed_is_known(body: str) -> None:
    assert LINE not in open_lines(body)


def test_an_array_is_there_but_may_hold_a_block() -> None:
    body = "int t[4]; writes(c);\nt[c & 3] = 1;"
    assert LINE not in open_lines(body, ("memory-safety",))
    assert LINE in open_lines(body, ("leaks",))
