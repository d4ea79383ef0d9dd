"""Which variables may still be read: backward data flow over a procedure.

Sets of variables are integers, bit i for variable i.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from precis.ir.instr import Check, End, Step, computed, operands, successors, target_of
from precis.ir.procedure import Procedure
from precis.ir.values import Term, subterms

Reads: TypeAlias = Callable[[Step | End], tuple[Term, ...]]


def live_variables(procedure: Procedure) -> tuple[tuple[int, ...], ...]:
    """For each block: the variables live before each of its steps, and last, before its end.
    Checks do not count: programs run without them."""
    return _live(procedure, lambda item: () if isinstance(item, Check) else operands(item))


def live_with_checks(procedure: Procedure) -> tuple[int, ...]:
    """For each block: the variables that it, or one after it, reads first, in a step or a check."""
    return tuple(row[0] for row in _live(procedure, computed))


def _live(procedure: Procedure, reads: Reads) -> tuple[tuple[int, ...], ...]:
    blocks = procedure.blocks
    predecessors: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for successor in successors(block.end):
            predecessors[successor].append(number)
    rows: list[tuple[int, ...]] = [()] * len(blocks)
    waiting = list(range(len(blocks)))
    pending = set(waiting)
    while waiting:
        number = waiting.pop()
        pending.discard(number)
        after = 0
        for successor in successors(blocks[number].end):
            after |= rows[successor][0] if rows[successor] else 0
        row = _before_each(blocks[number].steps, blocks[number].end, after, reads)
        if row != rows[number]:
            changed = not rows[number] or row[0] != rows[number][0]
            rows[number] = row
            if changed:
                fresh = [p for p in predecessors[number] if p not in pending]
                waiting.extend(fresh)
                pending.update(fresh)
    return tuple(rows)


def _before_each(steps: tuple[Step, ...], end: End, after: int, reads: Reads) -> tuple[int, ...]:
    live = after | _read(reads(end))
    row = [live]
    for step in reversed(steps):
        if not isinstance(step, Check):
            target = target_of(step)
            if target is not None:
                live &= ~(1 << target)
        live |= _read(reads(step))
        row.append(live)
    row.reverse()
    return tuple(row)


def _read(terms: tuple[Term, ...]) -> int:
    mask = 0
    for root in terms:
        for term in subterms(root):
            if term.op == "var":
                assert isinstance(term.data, int)
                mask |= 1 << term.data
    return mask
