"""What must hold before a step.

An obligation is part of the program: properties put it there, the referee tests it, analyses
judge it. Which rule a broken one is reported under can depend on how it is broken: reading
through a pointer may be a null dereference or a use after free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from precis.ir.types import BitRange
from precis.ir.values import Term


@dataclass(frozen=True, slots=True)
class ValidRead:
    """`size` bytes from the address lie in one live block; no size, no demand."""

    address: Term
    size: Term


@dataclass(frozen=True, slots=True)
class ValidWrite:
    """As ValidRead, and the block may be written."""

    address: Term
    size: Term


@dataclass(frozen=True, slots=True)
class ValidFree:
    """Null, or the start of a live heap block."""

    address: Term


@dataclass(frozen=True, slots=True)
class ValidCall:
    """The address of a procedure that takes these arguments."""

    function: Term


@dataclass(frozen=True, slots=True)
class NotLost:
    """The next step does not take away the last way to reach a live heap block."""


@dataclass(frozen=True, slots=True)
class AllFreed:
    """No live heap block is left."""


@dataclass(frozen=True, slots=True)
class InitialisedMemory:
    """No bit of these `size` bytes (of a bit-field: of its bits) is indeterminate."""

    address: Term
    size: int
    bits: BitRange | None = None


@dataclass(frozen=True, slots=True)
class InitialisedVariable:
    """The variable holds a value."""

    variable: int


@dataclass(frozen=True, slots=True)
class NeverReached:
    """Control does not get here; `rule` says what it means if it does."""

    rule: str


@dataclass(frozen=True, slots=True)
class NoOverflow:
    """The outermost operation of a signed integer term has its mathematical value."""

    term: Term


@dataclass(frozen=True, slots=True)
class ShiftInRange:
    """C17 6.5.7 for the outermost shift: the count is below the width, a signed left operand
    of `<<` is not negative and its value is not shifted out."""

    term: Term


@dataclass(frozen=True, slots=True)
class NonZero:
    """The divisor of the outermost division of an integer term is not zero."""

    term: Term


Obligation: TypeAlias = (
    ValidRead
    | ValidWrite
    | ValidFree
    | ValidCall
    | NotLost
    | AllFreed
    | InitialisedMemory
    | InitialisedVariable
    | NeverReached
    | NoOverflow
    | ShiftInRange
    | NonZero
)

PROPERTY_OF_RULE: Final[dict[str, str]] = {
    "null-dereference": "memory-safety",
    "use-after-free": "memory-safety",
    "use-after-scope": "memory-safety",
    "out-of-bounds": "memory-safety",
    "invalid-pointer": "memory-safety",
    "double-free": "memory-safety",
    "invalid-free": "memory-safety",
    "memory-leak": "leaks",
    "not-freed": "cleanup",
    "uninitialised-use": "uninitialised",
    "assertion": "assertions",
    "reachable-error": "assertions",
    "signed-overflow": "overflow",
    "bad-shift": "overflow",
    "division-by-zero": "division",
}


def terms_of(obligation: Obligation) -> tuple[Term, ...]:
    """The terms that an obligation speaks of."""
    match obligation:
        case ValidRead(address=address, size=size) | ValidWrite(address=address, size=size):
            return (address, size)
        case ValidFree(address=x) | InitialisedMemory(address=x) | ValidCall(function=x):
            return (x,)
        case NoOverflow(term=x) | ShiftInRange(term=x) | NonZero(term=x):
            return (x,)
        case NotLost() | AllFreed() | InitialisedVariable() | NeverReached():
            return ()


def property_of(obligation: Obligation) -> str:
    """The property that an obligation belongs to."""
    match obligation:
        case ValidRead() | ValidWrite() | ValidFree() | ValidCall():
            return "memory-safety"
        case NotLost():
            return "leaks"
        case AllFreed():
            return "cleanup"
        case InitialisedMemory() | InitialisedVariable():
            return "uninitialised"
        case NeverReached():
            return "assertions"
        case NoOverflow() | ShiftInRange():
            return "overflow"
        case NonZero():
            return "division"


def rule_of(obligation: Obligation) -> str:
    """The rule of a broken obligation; of a bad pointer, the one if nothing else is known."""
    match obligation:
        case AllFreed():
            return "not-freed"
        case InitialisedMemory() | InitialisedVariable():
            return "uninitialised-use"
        case NeverReached(rule=rule):
            return rule
        case NoOverflow():
            return "signed-overflow"
        case ShiftInRange():
            return "bad-shift"
        case NonZero():
            return "division-by-zero"
        case NotLost():
            return "memory-leak"
        case ValidRead() | ValidWrite() | ValidFree() | ValidCall():
            return "invalid-pointer"
