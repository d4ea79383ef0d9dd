"""Which reads of variables may see an indeterminate value: forward data flow over a procedure.

A variable is indeterminate until it is assigned, and again after `undef` is assigned to it or a
call gives nothing back.
To read it is a use, whatever is done with the value (C17 6.3.2.1 p2), and what is computed
from it counts as a value. A byte loaded as `unsigned char` may be indeterminate too, but to
hand it on as it is, by an Assign or a Store, only copies it (C17 6.2.6.1 p5):

    unsigned char c = *p;   c may be indeterminate
    *q = c;                 a copy, no use
    if (c) ...              a use

Sets of variables are integers, bit i for variable i.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from precis.ir.instr import (
    Assign,
    Call,
    Check,
    End,
    Load,
    Return,
    Step,
    Store,
    operands,
    target_of,
)
from precis.ir.loops import edges, reverse_postorder
from precis.ir.procedure import BasicBlock, Procedure
from precis.ir.types import U8
from precis.ir.values import Term, subterms


@dataclass(frozen=True, slots=True)
class Read:
    """A variable read by a step; the end of a block counts as the step after its last."""

    block: int
    step: int
    variable: int


def without_result(procedures: Iterable[Procedure]) -> frozenset[str]:
    """The procedures that may return without giving a value back.

    The empty name stands for what a pointer calls: it is there if some procedure that has a
    result may end without giving it.
    """
    found: dict[str, None] = {}
    for procedure in procedures:
        for block in procedure.blocks:
            if isinstance(block.end, Return) and block.end.value is None:
                found[procedure.name] = None
            elif isinstance(block.end, Return) and _is_undef(block.end.value):
                found[procedure.name] = found[""] = None
    return frozenset(found)


def maybe_undefined(
    procedure: Procedure, no_result: frozenset[str] = frozenset()
) -> tuple[Read, ...]:
    """The reads that may see an indeterminate value, in the order of the text.

    `no_result` is what `without_result` says of the program. Blocks that control cannot reach
    have no reads. The terms of checks are not reads.
    """
    before = _entry_states(procedure, no_result)
    found: list[Read] = []
    for number, block in enumerate(procedure.blocks):
        state = before.get(number)
        if state is not None:
            found.extend(_uses(number, block, state))
    return tuple(found)


def unset_before(procedure: Procedure, no_result: frozenset[str] = frozenset()) -> tuple[int, ...]:
    """For each block, the variables that may hold no value when control comes to it."""
    before = _entry_states(procedure, no_result)
    nothing = _State(0, 0, no_result)
    return tuple(before.get(n, nothing).unset for n in range(len(procedure.blocks)))


def unset_after(step: Step, unset: int, no_result: frozenset[str] = frozenset()) -> int:
    """The variables that may hold no value after a step, from those before it."""
    return _State(unset, 0, no_result).after(step).unset


def _is_undef(value: Term | None) -> bool:
    return value is not None and value.op == "undef"


@dataclass(frozen=True, slots=True)
class _State:
    """The variables that may be indeterminate: not assigned, or a byte that was loaded."""

    unset: int
    loaded: int
    no_result: frozenset[str]

    def join(self, other: _State) -> _State:
        return _State(self.unset | other.unset, self.loaded | other.loaded, self.no_result)

    def after(self, step: Step) -> _State:
        target = target_of(step)
        if target is None:
            return self
        bit = 1 << target
        unset, loaded = self.unset & ~bit, self.loaded & ~bit
        match step:
            case Assign(value=value) if value.op == "undef":
                unset |= bit
            case Assign(value=value) if self.loaded & _copied(step):
                loaded |= bit
            case Load(type=type_, bits=None) if type_ == U8:
                loaded |= bit
            case Call(function=function) if self._may_give_nothing(function):
                unset |= bit
        return _State(unset, loaded, self.no_result)

    def _may_give_nothing(self, function: Term) -> bool:
        name = function.data if function.op == "function" else ""
        return name in self.no_result


def _entry_states(procedure: Procedure, no_result: frozenset[str]) -> dict[int, _State]:
    following = edges(procedure)
    order = reverse_postorder(following)
    place = {block: at for at, block in enumerate(order)}
    unset = (1 << len(procedure.variables)) - 1
    for parameter in procedure.parameters:
        unset &= ~(1 << parameter)
    before = {0: _State(unset, 0, no_result)} if order else {}
    waiting = [0] if order else []  # places in the order
    pending = set(waiting)
    while waiting:
        at = heapq.heappop(waiting)
        pending.discard(at)
        block = order[at]
        state = before[block]
        for step in procedure.blocks[block].steps:
            state = state.after(step)
        for target in following[block]:
            old = before.get(target)
            new = state if old is None else old.join(state)
            if new != old:
                before[target] = new
                if place[target] not in pending:
                    pending.add(place[target])
                    heapq.heappush(waiting, place[target])
    return before


def _uses(number: int, block: BasicBlock, state: _State) -> Iterator[Read]:
    for index, step in enumerate((*block.steps, block.end)):
        if isinstance(step, Check):
            continue
        read = _variables(operands(step))
        suspect = read & (state.unset | (state.loaded & ~_copied(step)))
        while suspect:
            low = suspect & -suspect
            yield Read(number, index, low.bit_length() - 1)
            suspect ^= low
        if index < len(block.steps):
            state = state.after(block.steps[index])


def _copied(step: Step | End) -> int:
    """The variable whose byte the step hands on as it is, unless it also computes with it."""
    if not isinstance(step, Assign | Store) or step.value.op != "var" or step.value.type != U8:
        return 0
    if isinstance(step, Store):
        if step.bits is not None:
            return 0
        return _variables((step.value,)) & ~_variables((step.address,))
    return _variables((step.value,))


def _variables(roots: tuple[Term, ...]) -> int:
    mask = 0
    for root in roots:
        for node in subterms(root):
            if node.op == "var" and isinstance(node.data, int):
                mask |= 1 << node.data
    return mask
