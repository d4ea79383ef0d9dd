"""A summary that holds only where pointers lead into different blocks says nothing of all calls."""

from __future__ import annotations

from dataclasses import replace

from precis.domains.heap.domain import Heap
from precis.engine.activation import ONE_STATE
from precis.engine.analysis import Plan, analyse
from precis.engine.budget import Budget
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import lowered

# Each element is taken out through `prev`, which leads to `first`, or into the element before.
DROP = """
#include <stdlib.h>
struct item { struct item *next, **prev; };
struct head { struct item *first; };
void drop(struct head *head) {
    struct item *item;
    while ((item = head->first)) { *item->prev = item->next; free(item); }
}
"""
PROPERTIES = ("memory-safety",)


def test_what_fails_if_pointers_are_apart_is_no_finding() -> None:
    program = lowered(DROP, extent=Extent.EVERYTHING, properties=PROPERTIES)
    domain = Heap(program, True, library=True, properties=frozenset(PROPERTIES))
    relation = domain.frame(program.procedures["drop"], None).relation
    root = ("drop", replace(relation, separate=True))
    result = analyse(program, Plan(domain, ONE_STATE), [root], Budget(None, look_every=1))
    assert not result.wrong
    assert not any(doubt.root for doubt in result.doubts.values())
