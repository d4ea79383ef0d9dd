"""Inputs told apart by their values: what needs it, and what must not be taken for proved by it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load, plans
from precis.domains.heap.split import MOST_NUMBERS, _Input, _pieces
from precis.engine.budget import Budget
from precis.engine.results import Result, Verdict
from precis.engine.verify import Options, Searching, verify
from precis.properties.place import with_obligations

PROPERTIES = frozenset({"memory-safety", "leaks", "assertions"})
PRELUDE = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct pair { unsigned key; struct pair *more; };
static struct pair *buckets[4];
static struct pair **slot_of(unsigned key) {
    struct pair **slot = &buckets[(key * 2654435761u >> 28 ^ key) % 4];
    while (*slot && (*slot)->key != key) slot = &(*slot)->more;
    return slot;
}
static void put(unsigned key) {
    struct pair **slot = slot_of(key);
    if (*slot) return;
    struct pair *pair = malloc(sizeof *pair);
    if (!pair) exit(1);
    pair->key = key;
    pair->more = NULL;
    *slot = pair;
}
static void clear(void) {
    for (int i = 0; i < 4; i++)
        while (buckets[i]) {
            struct pair *pair = buckets[i];
            buckets[i] = pair->more;
            free(pair);
        }
}
"""


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    body: str


PROVED = (
    Program(
        "a table with keys that are inputs",
        """
        int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
        if (n < 0 || n > 5 || k < 0 || k > 2) return 0;
        put(n); put(n * k); put(k + 3);
        clear();
        """,
    ),
    Program(
        "the last number of a range, too",
        """
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n > 5) return 0;
        put(n * n); put(n % 3);
        struct pair *found = *slot_of(n * n);
        assert(found->key == n * n);
        clear();
        """,
    ),
    Program(
        "a number that is read",
        """
        int n;
        if (scanf("%d", &n) != 1 || n < 0 || n > 5) return 0;
        put(n * n); put(n % 3);
        assert((*slot_of(n * n))->key == n * n);
        clear();
        """,
    ),
)
NEVER_SAFE = (
    Program(
        "one number that is read is wrong",
        """
        int n, k;
        if (scanf("%d%d", &n, &k) != 2 || n < 0 || n > 5 || k < 0 || k > 5) return 0;
        put(n); put(k % 3);
        assert(n * 2 + k != 9);
        clear();
        """,
    ),
    Program(
        "one character that is read is wrong",
        """
        int n = getchar() - '0';
        if (n < 0 || n > 5) return 0;
        put(n * n); put(n % 3);
        assert((*slot_of(n * n))->key == n * n + (n == 4));
        clear();
        """,
    ),
    Program(
        "one number is wrong",
        """
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n > 5) return 0;
        put(n + 1);
        struct pair *found = *slot_of(n == 3 ? 9 : n + 1);
        assert(found->key == n + 1);
        clear();
        """,
    ),
    Program(
        "a number beyond all that are compared is wrong",
        """
        int n = __VERIFIER_nondet_int();
        if (n < 0) return 0;
        put(n % 6);
        struct pair *found = *slot_of(n % 1000 == 77 ? 7 : n % 6);
        assert(found->key == n % 6);
        clear();
        """,
    ),
    Program(
        "the ends of the type are wrong",
        """
        int n = __VERIFIER_nondet_int();
        if (n == 0 || n == 3 || n == 7) { put(n); clear(); return 0; }
        assert(n != -2147483647 - 1 && n != 2147483647);
        """,
    ),
    Program(
        "two inputs of one place differ",
        """
        int last = -1;
        for (int i = 0; i < 2; i++) {
            int n = __VERIFIER_nondet_int();
            if (n < 0 || n > 1) return 0;
            put(n * n);
            if (i == 1) assert(n == last);
            last = n;
        }
        clear();
        """,
    ),
    Program(
        "two inputs of a function differ",
        """
        int n = some(), k = some();
        put(n); put(n * k);
        assert(n == k);
        clear();
        """,
    ),
    Program(
        "only two numbers together are wrong",
        """
        int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
        if (n < 0 || n > 4 || k < 0 || k > 4) return 0;
        put(n); put(k);
        if (n == 4 && k == 0) buckets[0] = NULL;
        clear();
        """,
    ),
)
SOME = """
static int some(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1) exit(0);
    return n;
}
"""


def verified(program: Program, tmp_path: Path) -> Result:
    path = tmp_path / "program.c"
    text = f"{PRELUDE}{SOME}int main(void) {{ {program.body} return 0; }}\n"
    path.write_text(text, "utf-8")
    placed = with_obligations(load(path, Reading()), PROPERTIES)
    options = Options(PROPERTIES, search=Searching.OFF, calls="inline")
    result = verify(placed, path.name, plans(("heap",), placed, options), options, Budget(600.0))
    assert not result.internal
    return result


@pytest.mark.parametrize("program", PROVED, ids=lambda program: program.name)
def test_inputs_are_told_apart(program: Program, tmp_path: Path) -> None:
    result = verified(program, tmp_path)
    assert result.verdict is Verdict.SAFE
    assert [stage.name for stage in result.stages] == ["heap inlined", "heap inlined by cases"]


@pytest.mark.parametrize("program", NEVER_SAFE, ids=lambda program: program.name)
def test_what_is_wrong_in_one_case_is_not_proved(program: Program, tmp_path: Path) -> None:
    assert verified(program, tmp_path).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "bounds", [(), (0,), (-1, 5), (-129, 127), (0, 3, 4, 100), tuple(range(-9, 9))], ids=str
)
def test_pieces_are_all_that_an_input_can_be(bounds: tuple[int, ...]) -> None:
    low, high = -128, 127
    pieces = list(_pieces(_Input(low, high, frozenset(bounds))))
    numbers = [number for first, last in pieces for number in range(first, last + 1)]
    assert numbers == list(range(low, high + 1))
    assert all(first == last or last - first >= MOST_NUMBERS for first, last in pieces)
