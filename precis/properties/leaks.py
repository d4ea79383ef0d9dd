"""No heap block is lost while the program runs; all are freed when it ends.

A block is lost when nothing the program can still name leads to it. That can happen wherever
a pointer is overwritten or goes away: in memory, in a variable, with a scope or an
activation, with the last use of a temporary.
"""

from __future__ import annotations

from dataclasses import replace

from precis.ir.holders import Holders
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
from precis.ir.procedure import Procedure, Variable
from precis.ir.program import Program
from precis.ir.signature import signature
from precis.ir.types import Function, Pointer


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


def before_step(
    procedure: Procedure, step: Step, place: tuple[int, int], holders: Holders
) -> tuple[Obligation, ...]:
    lost = loses(procedure, step) or holders.dying(*place, step)
    return (NotLost(),) if lost else ()


def before_end(end: End, place: tuple[int, int], holders: Holders) -> tuple[Obligation, ...]:
    return (NotLost(),) if isinstance(end, Return) or holders.dying(*place, end) else ()


def with_results_held(program: Program) -> Program:
    """The program, each call that drops a pointer with a temporary for it: what it leads to is
    lost by the call and not within the callee."""
    procedures = {name: _results_held(each) for name, each in program.procedures.items()}
    return replace(program, procedures=procedures)


def _results_held(procedure: Procedure) -> Procedure:
    variables = list(procedure.variables)

    def held(step: Step) -> Step:
        if not isinstance(step, Call) or step.target is not None:
            return step
        type_ = step.function.type
        assert isinstance(type_, Pointer) and isinstance(type_.target, Function)
        result = signature(type_.target).result
        if not isinstance(result, Pointer):
            return step
        variables.append(Variable("", result, step.at))
        return replace(step, target=len(variables) - 1)

    blocks = tuple(
        replace(block, steps=tuple(held(step) for step in block.steps))
        for block in procedure.blocks
    )
    if len(variables) == len(procedure.variables):
        return procedure
    return replace(procedure, blocks=blocks, variables=tuple(variables))


def cleanup_before_end(program: Program, procedure: Procedure, end: End) -> tuple[Obligation, ...]:
    match end:
        case Halt():
            return (AllFreed(),)
        case Return() if procedure.name == program.entry:
            return (AllFreed(),)
        case _:
            return ()
