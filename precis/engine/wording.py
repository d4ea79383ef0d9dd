"""Obligations in words."""

from __future__ import annotations

from precis.ir import obligation as ob
from precis.ir.clike import print_term
from precis.ir.procedure import Procedure
from precis.ir.values import Term


def wanted(obligation: ob.Obligation, procedure: Procedure) -> str:
    """What an obligation asks, in a few words."""
    match obligation:
        case ob.ValidRead(address=address):
            return f"valid read through {_shown(address, procedure)}"
        case ob.ValidWrite(address=address):
            return f"valid write through {_shown(address, procedure)}"
        case ob.ValidFree(address=address):
            return f"valid free of {_shown(address, procedure)}"
        case ob.ValidCall(function=function):
            return f"valid call of {_shown(function, procedure)}"
        case ob.NotLost():
            return "no block is lost"
        case ob.AllFreed():
            return "all memory is freed"
        case ob.InitialisedMemory(address=address):
            return f"memory at {_shown(address, procedure)} is set"
        case ob.InitialisedVariable(variable=variable):
            name = procedure.variables[variable].name or "a temporary"
            return f"{name} is set"
        case ob.NeverReached(rule="assertion"):
            return "the assertion holds"
        case ob.NeverReached():
            return "the error is not reached"
        case ob.NoOverflow(term=term):
            return f"no overflow in {_shown(term, procedure)}"
        case ob.ShiftInRange(term=term):
            return f"valid shift in {_shown(term, procedure)}"
        case ob.NonZero(term=term):
            return f"the divisor in {_shown(term, procedure)} is not zero"


def _shown(term: Term, procedure: Procedure) -> str:
    text = print_term(term, procedure)
    return text if len(text) <= 60 else text[:57] + "..."
