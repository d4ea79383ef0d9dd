"""How the trace of a run names the places that are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotated import run_file

TEMPLATE = """
#include <stdlib.h>
struct inner {{ int key; char text[4]; }};
struct outer {{ struct inner pair[2]; union {{ long number; char byte; }}; struct outer *next; }};
static struct outer whole;
static int table[3][4];
int main(void) {{
    struct outer local = {{0}}, *p = &local;
    int *q = table[1], i = 2;
    long *words = &local.number;
    {store};
    return *(int *)0;
}}
"""


@pytest.mark.parametrize(
    ("store", "name"),
    [
        ("local.pair[1].text[2] = 5", "local.pair[1].text[2]"),
        ("whole.next = 0", "whole.next"),
        ("p->pair[1].key = 5", "p->pair[1].key"),
        ("p->number = 5", "p->number"),
        ("table[1][3] = 5", "table[1][3]"),
        ("*q = 5", "*q"),
        ("q[2] = 5", "*(q + 8 bytes)"),
        ("*words = 5", "*words"),
        ("q[i] = 5", "&table + 24"),
    ],
)
def test_name_of_a_place(store: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEMPLATE.format(store=store), "utf-8")

    outcome, _ = run_file(path)

    assert outcome.violation is not None
    last = outcome.violation.trace[-1].text
    assert last == f"{name} = {'null' if '.next' in name else 5}"
