"""Without loops and recursion summaries say as much as inlined bodies, of each obligation."""

from __future__ import annotations

import random
import re

import pytest

from precis.domains.heap import diagrams, theory
from precis.domains.heap.frame import Calls
from precis.engine.analysis import Analysed
from tests.domains.heap.analysing import checked, lowered
from tests.domains.heap.straight import Straight

COUNT = 60
REFUSED = re.compile(r"nothing is known inside (\w+): .* overlap in part")


def cut(result: Analysed) -> set[str]:
    """The procedures for all of which there was no room, and those that a call was refused of."""
    assert not result.wrong and not result.stopped
    found = {lost.procedure for lost in result.lost}
    for procedure in result.procedures:
        if any(measures["cuts"] for measures in procedure.measures):
            found.add(procedure.name)
    refused = [REFUSED.match(doubt.why) for doubt in result.doubts.values()]
    return found | {f"a call of {why[1]}" for why in refused if why}


def test_summaries_are_as_good_as_bodies() -> None:
    procedures = without_room = 0
    for seed in range(COUNT):
        program = lowered(Straight(random.Random(seed)).text(3))
        by_summaries, inlined = checked(program), checked(program, Calls.INLINE)
        procedures += len(by_summaries.procedures)
        if missed := cut(by_summaries):
            without_room += len(missed)
            continue
        assert not inlined.lost and not inlined.stopped, seed
        assert set(by_summaries.doubts) == set(inlined.doubts), seed
    assert without_room <= 0.05 * procedures


FORKS = """
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int f(int **s, int x) { if (x > 1) *s = 0; if (x > 3 && *s) **s = 2; return *s ? **s : x; }
int main(void)
{
    int i = 1, *p = &i, *q = &i, t = 0;
    for (int k = 0; k < 5; k++)
        t += f(k % 2 ? &p : &q, __VERIFIER_nondet_int()) > t;
    return p && q ? *p + *q + t : t;
}
"""


@pytest.mark.parametrize("calls", (Calls.STRONG, Calls.INLINE), ids=lambda calls: calls.value)
@pytest.mark.parametrize("most", (8, 40, 120, 400))
def test_conditions_that_grow_too_large_are_given_up(
    most: int, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known of inlined bodies is in the words of one frame, which must not change."""
    for limit in ("MOST_INLINED_NODES", "MOST_NODES"):
        monkeypatch.setattr(theory, limit, most)
    monkeypatch.setattr(diagrams, "_MORE_NODES", most)
    result = checked(lowered(FORKS), calls)
    assert not result.wrong
    assert most > 8 or result.lost or result.stopped
