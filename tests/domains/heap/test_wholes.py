"""Callers are asked for all of a struct, once, where its members are used."""

from __future__ import annotations

import pytest

from precis.domains.heap.frame import Calls
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import checked, lowered, open_lines, summaries

HEAD = """#include <stdlib.h>
struct item { int a, b, c; struct item *next; };
union any { int small; long large; };
int sum(struct item *p) { return p->c + p->a + p->next->b; }
void set(struct item *p) { p->b = 1; p->a = 2; }
int inner(struct item *p) { int *q = &p->c; return *q; }
int either(union any *p) { return p->small; }
int bytes(char *p) { return p[3]; }
"""


def needs(name: str) -> list[str]:
    found = summaries(lowered(HEAD + "int main(void) { return 0; }\n", extent=Extent.EVERYTHING))
    summary = found.activation(name).summary
    assert summary is not None
    return list(found.domain.preconditions(summary).values())


def test_it_is_asked_for_once() -> None:
    for_p, for_next = needs("sum")
    assert for_p == "p is not null and p is live and p leads to a whole item"
    assert for_next.endswith("p->next is live and p->next leads to a whole item")
    assert len(needs("set")) == 1


def test_what_is_no_struct_is_asked_for_as_it_is_used() -> None:
    assert "at least 4 bytes" in needs("either")[0]
    assert "at least 4 bytes" in needs("bytes")[0]
    assert "at least 12 bytes" in needs("inner")[0]


SMALLER = """
int main(void) {{
    int *cells = malloc({size});
    if (!cells) exit(0);
    cells[0] = cells[1] = 0;
    {use};
    free(cells);
    return 0;
}}
"""


def lines(size: int, use: str, calls: Calls) -> set[int]:
    return open_lines(checked(lowered(HEAD + SMALLER.format(size=size, use=use)), calls))


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
def test_a_whole_struct_is_enough(calls: Calls) -> None:
    assert not lines(24, "set((struct item *)cells)", calls)


def test_a_part_is_enough_where_the_body_is_seen() -> None:
    assert lines(8, "set((struct item *)cells)", Calls.STRONG)
    assert not lines(8, "set((struct item *)cells)", Calls.INLINE)


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
def test_less_than_the_members_is_not(calls: Calls) -> None:
    assert lines(8, "inner((struct item *)cells)", calls)


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
def test_of_a_union_only_the_member_is_asked(calls: Calls) -> None:
    assert not lines(8, "either((union any *)(cells + 1))", calls)
