"""Obligations -> conditions that must hold, as Python expressions."""

from __future__ import annotations

from precis.interp.terms import Terms
from precis.ir.obligation import (
    AllFreed,
    InitialisedMemory,
    InitialisedVariable,
    NeverReached,
    NonZero,
    NoOverflow,
    Obligation,
    ShiftInRange,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.types import Int
from precis.ir.values import Term


def call_of(obligation: Obligation, terms: Terms) -> str | None:
    """A call that raises if the obligation is broken, for those that need the memory."""
    match obligation:
        case ValidRead(address=address, size=size):
            block, offset = terms.place(address)
            return f"CHECK_READ({block}, {offset}, {terms.value(size)})"
        case ValidWrite(address=address, size=size):
            block, offset = terms.place(address)
            return f"CHECK_WRITE({block}, {offset}, {terms.value(size)})"
        case ValidFree(address=address):
            return f"CHECK_FREE({terms.value(address)})"
        case ValidCall(function=function):
            return f"CHECK_CALL({terms.value(function)})"
        case InitialisedMemory(address=address, size=size, bits=bits):
            block, offset = terms.place(address)
            ones = (1 << 8 * size) - 1 if bits is None else ((1 << bits.width) - 1) << bits.shift
            amount = size if bits is None else bits.bytes
            return f"CHECK_INITIALISED({block}, {offset}, {amount}, {ones})"
        case _:
            return None


def broken_if(obligation: Obligation, terms: Terms, variable_type: object) -> str | None:
    """When the obligation is broken; None: never. `variable_type` is that of its variable."""
    match obligation:
        case AllFreed():
            return "HEAP"
        case NeverReached():
            return "True"
        case InitialisedVariable(variable=variable):
            return _uninitialised(variable, terms, variable_type)
        case NoOverflow(term=term):
            return _overflow(term, terms)
        case ShiftInRange(term=term):
            return _bad_shift(term, terms)
        case NonZero(term=term):
            return f"{terms.value(term.args[1])} == 0"
        case _:
            return None


def _uninitialised(variable: int, terms: Terms, type_: object) -> str | None:
    tests = []
    if terms.unsure >> variable & 1:
        terms.read_unsure.add(variable)
        tests.append(f"v{variable} is None")
    if isinstance(type_, Int) and type_.bits == 8:
        tests.append(f"v{variable}.__class__ is INDETERMINATE")
    return " or ".join(tests) or None


def _overflow(term: Term, terms: Terms) -> str | None:
    type_ = term.type
    assert isinstance(type_, Int)
    if term.op == "div" or term.op == "rem":
        x, y = term.args
        return f"{terms.value(y)} == -1 and {terms.value(x)} == {type_.low}"
    if term.op not in ("add", "sub", "mul", "neg"):
        return None
    low, high = terms.raw_bounds(term)
    if type_.low <= low and high <= type_.high:
        return None
    name = terms.fresh()
    text = terms.raw(term)
    terms.before.append(f"{name} = {text}")
    terms.known[term] = name
    return f"not {type_.low} <= {name} <= {type_.high}"


def _bad_shift(term: Term, terms: Terms) -> str:
    type_ = term.type
    assert isinstance(type_, Int)
    x, count = terms.atom(term.args[0]), terms.atom(term.args[1])
    out = f"not 0 <= {count} < {type_.bits}"
    if term.op == "shl" and type_.signed:
        return f"{out} or {x} < 0 or {x} << {count} > {type_.high}"
    return out
