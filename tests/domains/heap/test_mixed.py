"""Pointers of several sizes into one buffer: what `heap` proves of its bytes, against a run."""

from __future__ import annotations

import random

import pytest

from precis.domains.heap.frame import Calls, Classes
from tests.domains.heap.analysing import checked, lowered
from tests.domains.heap.mixed import Mixed

PROPERTIES = ("assertions",)


@pytest.mark.parametrize("classes", Classes, ids=lambda classes: classes.value)
def test_no_byte_is_said_to_be_another(classes: Classes) -> None:
    proved = 0
    for seed in range(40):
        mixed = Mixed(random.Random(seed))
        program = lowered(mixed.source, properties=PROPERTIES)
        result = checked(program, Calls.STRONG, PROPERTIES, classes)
        assert not result.wrong
        if not result.lost and not result.stopped:
            found = {doubt.at.line for doubt in result.doubts.values()}
            assert set(mixed.false) <= found, seed
            proved += len(set(mixed.true) - found)
    assert proved > 100
