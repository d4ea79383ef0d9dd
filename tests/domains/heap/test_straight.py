"""Without loops and recursion summaries say as much as inlined bodies, of each obligation."""

from __future__ import annotations

import random

import pytest

from precis.domains.heap import guards, theory
from precis.domains.heap.frame import Calls
from precis.engine.analysis import Analysed
from tests.domains.heap.analysing import checked, lowered
from tests.domains.heap.straight import Straight

COUNT = 12
CUTS = ("too large", "overlap in part")  # what is told where there was no room for all of it


def is_cut(result: Analysed) -> bool:
    assert not result.wrong
    reasons = [lost.reason for lost in result.lost] + [d.why for d in result.doubts.values()]
    return bool(result.stopped) or any(cut in why for why in reasons for cut in CUTS)


@pytest.mark.parametrize("start", range(0, 3 * COUNT, COUNT))
def test_summaries_are_as_good_as_bodies(start: int) -> None:
    cut = 0
    for seed in range(start, start + COUNT):
        program = lowered(Straight(random.Random(seed)).text(3))
        by_summaries, inlined = checked(program), checked(program, Calls.INLINE)
        if is_cut(by_summaries) or is_cut(inlined):
            cut += 1
            continue
        assert not by_summaries.lost and not inlined.lost, seed
        assert set(by_summaries.doubts) == set(inlined.doubts), seed
    assert cut <= COUNT / 4


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
    monkeypatch.setattr(guards, "_MORE_NODES", most)
    result = checked(lowered(FORKS), calls)
    assert not result.wrong
    assert most > 8 or result.lost or result.stopped
