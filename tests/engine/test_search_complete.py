"""Which programs have a single run, so that seeing it is seeing all."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.engine.search import SearchLimits
from precis.interp.run import Malloc, Settings
from tests.engine.test_search import ALL, searched

SINGLE = {
    "sums": "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }",
    "list": """
        struct n { struct n *next; int v; };
        int main(void) {
            struct n *list = NULL;
            for (int i = 0; i < 4; i++) {
                struct n *n = malloc(sizeof *n);
                n->v = i; n->next = list; list = n;
            }
            while (list) { struct n *n = list->next; free(list); list = n; }
            return 0;
        }""",
    "text": """
        int main(void) {
            char b[32]; strcpy(b, "abc"); strcat(b, "def");
            printf("%s %d %5.2f\\n", b, (int)strlen(b), 1.5);
            return 0;
        }""",
    "pointers_into_one_array": """
        int main(void) {
            int a[4] = {1, 2, 3, 4}, s = 0;
            for (int *p = a; p != a + 4; p++) s += *p;
            return &a[3] - &a[1] + (&a[1] < &a[2]);
        }""",
    "live_blocks_differ": """
        int main(void) {
            int a, b, *p = &a, *q = &b;
            if (p == q) reach_error();
            return p != NULL;
        }""",
    "pointers_of_procedures": """
        static int one(void) { return 1; }
        static int two(void) { return 2; }
        int main(void) { int (*f)(void) = one; return f == two ? 1 : f(); }""",
    "arguments_unused": "int main(int argc, char **argv) { return 0; }",
    "exits": "int main(void) { exit(3); }",
}

SEVERAL = {
    "input": "int main(void) { return input() & 1; }",
    "reads": "int main(void) { return getchar() & 1; }",
    "arguments": "int main(int argc, char **argv) { return argc; }",
    "clock": "#include <time.h>\nint main(void) { return time(NULL) & 1; }",
    "address_as_integer": "int main(void) { int x; return ((unsigned long)&x >> 4) & 1; }",
    "integer_as_address": "int main(void) { return (char *)16 == (char *)32; }",
    "order_of_blocks": "int main(void) { int x, y; int *p = &x, *q = &y; return p < q; }",
    "distance_of_blocks": "int main(void) { int x, y; int *p = &x, *q = &y; return (p - q) & 1; }",
    "address_used_again": """
        int main(void) {
            char *p = malloc(8); free(p); char *q = malloc(8); int same = p == q; free(q);
            return same;
        }""",
    "past_the_end": "int main(void) { int x[1], y[1]; int *p = x + 1, *q = y; return p == q; }",
    "literals": 'int main(void) { const char *p = "a", *q = "ba" + 1; return p == q; }',
    "bytes_of_a_pointer": """
        int main(void) {
            int x, *p = &x; unsigned char *b = (unsigned char *)&p;
            return b[1] & 1;
        }""",
    "pointer_read_as_integer": """
        int main(void) {
            union { int *p; unsigned long n; } u; int x; u.p = &x;
            return (u.n >> 4) & 1;
        }""",
    "compared_bytes": """
        int main(void) { int x, y; int *p = &x, *q = &y; return memcmp(&p, &q, sizeof p) > 0; }""",
    "printed_address": """
        int main(void) { char b[40]; int x; sprintf(b, "%p", (void *)&x); return b[4] & 1; }""",
    "volatile": "static volatile int port; int main(void) { return port; }",
    "defined_elsewhere": "extern int level; int main(void) { return level; }",
}
CHECKED = Settings(ALL - {"cleanup", "leaks", "uninitialised"})


@pytest.mark.parametrize("name", SINGLE)
def test_single_run(name: str, tmp_path: Path) -> None:
    result = searched(tmp_path, SINGLE[name], CHECKED)
    assert (result.findings, result.runs, result.complete) == ((), 1, True)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_runs(name: str, tmp_path: Path) -> None:
    assert not searched(tmp_path, SEVERAL[name], CHECKED, limits=SearchLimits(runs=8)).complete


def test_indeterminate_values_make_several_runs(tmp_path: Path) -> None:
    body = "int main(void) { int a[2]; a[0] = 1; return a[1] & 1; }"
    assert not searched(tmp_path, body, CHECKED).complete


def test_failing_allocations_make_several_runs(tmp_path: Path) -> None:
    settings = Settings(malloc=Malloc.MAY_FAIL)
    assert not searched(tmp_path, SINGLE["list"].replace("n->v", "if (n) n->v"), settings).complete
    assert searched(tmp_path, SINGLE["sums"], settings).complete


def test_unfinished_run_is_not_complete(tmp_path: Path) -> None:
    body = "int main(void) { for (unsigned i = 0; i < 4000000000u; i++) ; return 0; }"
    result = searched(tmp_path, body, CHECKED, limits=SearchLimits(runs=2))
    assert not result.complete


def test_violation_is_not_complete(tmp_path: Path) -> None:
    result = searched(tmp_path, "int main(void) { int *p = 0; return *p; }", CHECKED)
    assert len(result.findings) == 1
    assert not result.complete
