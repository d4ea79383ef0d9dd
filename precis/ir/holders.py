"""Which variables keep a heap block from being lost.

A block is lost when nothing that the program can still name leads to it. A variable with a name
and a parameter that is never read count as a way to it until they are overwritten or the
procedure returns; a temporary counts as long as it is still to be read.

Of temporaries only the *owning* ones can be the only way to a block: those that get a fresh
value (an allocation, the result of a call, an argument), those that are still to be read after a
step that may take other pointers away, and copies of such. The rest was loaded from memory or
copied from a variable, and has been read for the last time before anything else is done.
"""

from __future__ import annotations

from dataclasses import dataclass

from precis.ir.instr import (
    Alloc,
    Assign,
    Call,
    Check,
    Choose,
    Copy,
    End,
    Fill,
    Free,
    Havoc,
    Return,
    ScopeEnd,
    Step,
    Store,
    successors,
    target_of,
)
from precis.ir.liveness import live_variables
from precis.ir.procedure import Procedure
from precis.ir.types import Pointer
from precis.ir.values import subterms


@dataclass(frozen=True, slots=True)
class Holders:
    """Sets of variables are integers, bit i for variable i. `live` has a row for each block:
    before each step, and last, before its end."""

    lasting: int
    owning: int
    live: tuple[tuple[int, ...], ...]
    leaving: tuple[int, ...]  # by block: the variables that are live wherever control goes on

    def after(self, block: int, index: int) -> int:
        """What holds blocks when a step (or the end of the block) is done."""
        row = self.live[block]
        live = row[index + 1] if index + 1 < len(row) else self.leaving[block]
        return self.lasting | (self.owning & live)

    def dying(self, block: int, index: int, item: Step | End) -> int:
        """The owning temporaries that are not read again once the step or end is done, one that
        the step sets included."""
        if isinstance(item, Return):
            return 0  # all of the activation goes
        row = self.live[block]
        live = row[index + 1] if index + 1 < len(row) else self.leaving[block]
        target = None if isinstance(item, End) else target_of(item)
        before = row[index] | (0 if target is None else 1 << target)
        return self.owning & before & ~live


def holders(procedure: Procedure) -> Holders:
    live = live_variables(procedure)
    named = _lasting(procedure, live)
    leaving = []
    for block in procedure.blocks:
        going_on = -1
        for successor in successors(block.end):
            going_on &= live[successor][0]
        leaving.append(going_on)
    return Holders(named, _owning(procedure, named, live), live, tuple(leaving))


def lasting(procedure: Procedure) -> int:
    """The variables that hold blocks until they are overwritten or the procedure returns."""
    return _lasting(procedure, live_variables(procedure))


def _lasting(procedure: Procedure, live: tuple[tuple[int, ...], ...]) -> int:
    found = 0
    for index, variable in enumerate(procedure.variables):
        unread = index in procedure.parameters and not live[0][0] >> index & 1
        if variable.name or unread:
            found |= 1 << index
    return found


def _owning(procedure: Procedure, lasting: int, live: tuple[tuple[int, ...], ...]) -> int:
    found = 0
    for parameter in procedure.parameters:
        found |= 1 << parameter
    copies: list[tuple[int, int]] = []
    for number, block in enumerate(procedure.blocks):
        for index, step in enumerate(block.steps):
            if _takes_away(step, lasting):
                found |= live[number][index] & live[number][index + 1]
            match step:
                case Alloc(target=target) | Choose(target=target) | Havoc(target=target):
                    found |= 1 << target
                case Call(target=int(target)):
                    found |= 1 << target
                case Assign(target=target, value=value):
                    read = (node.data for node in subterms(value) if node.op == "var")
                    copies.extend((target, source) for source in read if isinstance(source, int))
                case _:
                    pass
    allowed = _pointers(procedure) & ~lasting
    return _with_copies(found & allowed, copies, allowed)


def _takes_away(step: Step, lasting: int) -> bool:
    """May a step remove a pointer from memory or from a variable that lasts?"""
    match step:
        case Store() | Copy() | Fill() | Free() | ScopeEnd() | Call():
            return True
        case _:
            target = target_of(step)
            return target is not None and bool(lasting >> target & 1)


def _pointers(procedure: Procedure) -> int:
    found = 0
    for index, variable in enumerate(procedure.variables):
        if isinstance(variable.type, Pointer):
            found |= 1 << index
    return found


def _with_copies(found: int, copies: list[tuple[int, int]], allowed: int) -> int:
    changed = True
    while changed:
        changed = False
        for target, source in copies:
            if found >> source & 1 and allowed >> target & 1 and not found >> target & 1:
                found |= 1 << target
                changed = True
    return found


def position(procedure: Procedure, number: int) -> tuple[int, int]:
    """Block and index of the step that a check stands before."""
    for at, block in enumerate(procedure.blocks):
        for index, step in enumerate(block.steps):
            if isinstance(step, Check) and step.number == number:
                while index < len(block.steps) and isinstance(block.steps[index], Check):
                    index += 1
                return at, index
    raise KeyError(number)
