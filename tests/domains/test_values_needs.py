"""What `values` asks of unknown callers, in words: a library's preconditions."""

from __future__ import annotations

import pytest

from precis.engine.results import Status
from precis.engine.verify import Mode
from tests.checking import check

ALL = ("memory-safety", "leaks", "assertions", "overflow", "division")
WANTED = {
    "read": ("int f(int *p) { return *p; }", "p can be read (4 bytes)"),
    "write": ("void f(int *p) { *p = 1; }", "p can be written (4 bytes)"),
    "free": ("void free(void *); void f(char *p) { free(p); }", "(void *)p can be freed"),
    "overflow": ("int f(int n) { return n + 1; }", "n + 1 does not overflow"),
    "shift": ("int f(int n) { return 1 << n; }", "1 << n is a valid shift"),
    "division": ("int f(int n) { return 7 / n; }", "the divisor in 7 / n is not zero"),
    "guard": (
        "int f(int n, int k, int m) { if (k > m) return 7 / n + (k ^ m); return 0; }",
        "the divisor in 7 / n is not zero, where m < k",
    ),
}


@pytest.mark.parametrize("name", WANTED)
def test_a_need_is_told_as_a_precondition(name: str) -> None:
    source, wanted = WANTED[name]
    result = check(source, ALL, Mode.LIBRARY)
    texts = {precondition.text for precondition in result.preconditions}
    assert wanted in texts, texts


def test_a_need_climbs_to_the_caller_in_the_callers_words() -> None:
    for inner, text in (
        ("free(q)", "(void *)p can be freed"),
        ("use(7 / *q)", "p can be read (4 bytes)"),
    ):
        source = f"""
        void free(void *); void use(int n) {{ }}
        static void low(int *q) {{ {inner}; }}
        void high(int *p) {{ low(p); }}"""
        result = check(source, ALL, Mode.LIBRARY)
        texts = {p.text for p in result.preconditions if p.procedure == "high"}
        assert text in texts, texts


def test_a_need_of_arithmetic_climbs_with_the_arguments() -> None:
    source = """
    static int low(int n) { return n + 5; }
    int high(int k) { return low(k); }
    int fine(void) { return low(3); }"""
    result = check(source, ALL, Mode.LIBRARY)
    texts = {(p.procedure, p.text) for p in result.preconditions}
    assert ("high", "k + 5 does not overflow") in texts, texts
    assert not any(row.status is Status.OPEN for row in result.obligations)
