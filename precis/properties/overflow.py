"""Arithmetic on integers: `overflow` (signed arithmetic and shifts) and `division`.

The obligations of a step are those of the terms it computes, arguments before the operations
on them, as the machine would meet them.
"""

from __future__ import annotations

from collections.abc import Iterable

from precis.ir.obligation import NonZero, NoOverflow, Obligation, ShiftInRange
from precis.ir.types import Int
from precis.ir.values import Term, subterms


def of_terms(terms: Iterable[Term], properties: frozenset[str]) -> tuple[Obligation, ...]:
    found: list[Obligation] = []
    for root in terms:
        for term in subterms(root):
            if isinstance(term.type, Int):
                found.extend(_of_term(term, term.type, properties))
    return tuple(dict.fromkeys(found))


def _of_term(term: Term, type_: Int, properties: frozenset[str]) -> Iterable[Obligation]:
    match term.op:
        case "div" | "rem":
            if "division" in properties and not _is_nonzero(term.args[1]):
                yield NonZero(term)
            if "overflow" in properties and type_.signed and not _is_harmless(term.args[1]):
                yield NoOverflow(term)
        case "add" | "sub" | "mul" | "neg":
            if "overflow" in properties and type_.signed:
                yield NoOverflow(term)
        case "shl" | "shr":
            if "overflow" in properties:
                yield ShiftInRange(term)
        case _:
            pass


def _is_nonzero(term: Term) -> bool:
    return term.op == "const" and term.data != 0


def _is_harmless(divisor: Term) -> bool:
    """Only division of the least value by -1 overflows."""
    return divisor.op == "const" and divisor.data != -1
