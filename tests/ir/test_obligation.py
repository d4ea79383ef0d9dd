"""Rules and properties of obligations."""

from __future__ import annotations

import pytest

from precis.ir import obligation as ob
from precis.ir.types import I32, VOID_POINTER, Function, Pointer
from precis.ir.values import const, null, term

ADDRESS, SIZE = null(VOID_POINTER), const(I32, 4)
SUM = term("add", I32, (SIZE, SIZE))

EXPECTED = (
    (ob.ValidRead(ADDRESS, SIZE), "memory-safety", "invalid-pointer", 2),
    (ob.ValidWrite(ADDRESS, SIZE), "memory-safety", "invalid-pointer", 2),
    (ob.ValidFree(ADDRESS), "memory-safety", "invalid-pointer", 1),
    (ob.ValidCall(null(Pointer(Function(I32, ())))), "memory-safety", "invalid-pointer", 1),
    (ob.NotLost(), "leaks", "memory-leak", 0),
    (ob.AllFreed(), "cleanup", "not-freed", 0),
    (ob.InitialisedMemory(ADDRESS, 4), "uninitialised", "uninitialised-use", 1),
    (ob.InitialisedVariable(0), "uninitialised", "uninitialised-use", 0),
    (ob.NeverReached("assertion"), "assertions", "assertion", 0),
    (ob.NeverReached("reachable-error"), "assertions", "reachable-error", 0),
    (ob.NoOverflow(SUM), "overflow", "signed-overflow", 1),
    (ob.ShiftInRange(SUM), "overflow", "bad-shift", 1),
    (ob.NonZero(SUM), "division", "division-by-zero", 1),
)


@pytest.mark.parametrize(("obligation", "property_", "rule", "terms"), EXPECTED)
def test_what_is_known_of_an_obligation(
    obligation: ob.Obligation, property_: str, rule: str, terms: int
) -> None:
    assert ob.property_of(obligation) == property_
    assert ob.rule_of(obligation) == rule
    assert ob.PROPERTY_OF_RULE[rule] == property_
    assert len(ob.terms_of(obligation)) == terms
