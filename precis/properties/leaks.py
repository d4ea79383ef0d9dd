"""No heap block is lost while the program runs; all are freed when it ends.

A block is lost when nothing the program can still name leads to it. That can happen wherever
a pointer is overwritten or goes away: in memory, in a variable, with a scope or an activation.
"""

from __future__ import annotations

from precis.ir.instr import (
    Alloc,
    Assign,
    Call,
    Choose,
    Copy,
    End,
    Fill,
    Free,
    Halt,
    Havoc,
    Load,
    Return,
    ScopeEnd,
    Step,
    Store,
)
from precis.ir.obligation import AllFreed, NotLost, Obligation
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Pointer


def loses(procedure: Procedure, step: Step) -> bool:
    """May the step take away a reference?"""
    match step:
        case Store() | Copy() | Fill() | Free() | ScopeEnd() | Alloc() | Call():
            return True
        case Assign(target=target) | Load(target=target) | Choose(target=target):
            return isinstance(procedure.variables[target].type, Pointer)
        case Havoc(target=target):
            return isinstance(procedure.variables[target].type, Pointer)
        case _:
            return False


def before_step(procedure: Procedure, step: Step) -> tuple[Obligation, ...]:
    return (NotLost(),) if loses(procedure, step) else ()


def before_end(end: End) -> tuple[Obligation, ...]:
    return (NotLost(),) if isinstance(end, Return) else ()


def cleanup_before_end(program: Program, procedure: Procedure, end: End) -> tuple[Obligation, ...]:
    match end:
        case Halt():
            return (AllFreed(),)
        case Return() if procedure.name == program.entry:
            return (AllFreed(),)
        case _:
            return ()
