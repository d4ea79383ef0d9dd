"""Which variables may still be read: backward data flow over a procedure.

Sets of variables are integers, bit i for variable i.
"""

from __future__ import annotations

from precis.ir.instr import Check, End, Step, operands, successors, target_of
from precis.ir.procedure import Procedure
from precis.ir.values import Term, subterms


def live_variables(procedure: Procedure) -> tuple[tuple[int, ...], ...]:
    """For each block: the variables live before each of its steps, and last, before its end."""
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
        row = _before_each(blocks[number].steps, blocks[number].end, after)
        if row != rows[number]:
            changed = not rows[number] or row[0] != rows[number][0]
            rows[number] = row
            if changed:
                fresh = [p for p in predecessors[number] if p not in pending]
                waiting.extend(fresh)
                pending.update(fresh)
    return tuple(rows)


def _before_each(steps: tuple[Step, ...], end: End, after: int) -> tuple[int, ...]:
    live = after | _read(operands(end))
    row = [live]
    for step in reversed(steps):
        if not isinstance(step, Check):
            target = target_of(step)
            if target is not None:
                live &= ~(1 << target)
            live |= _read(operands(step))
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
