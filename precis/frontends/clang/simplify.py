"""Basic blocks without detours: what the front end leaves behind is cleared away.

before: 0: jump 1   1: x = 1; jump 3   2: (never reached)   3: return x
after:  0: x = 1; return x
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.ir.instr import Branch, End, Jump, Step, Switch, successors
from precis.ir.procedure import BasicBlock


def simplified(blocks: Sequence[tuple[list[Step], End]]) -> tuple[BasicBlock, ...]:
    """The same control flow from block 0 on, in blocks that are all reached and needed."""
    target = _threaded(blocks)
    ends = [_redirected(end, target) for _, end in blocks]
    order = _reached(ends)
    entries = [0] * len(blocks)
    entries[0] = 1
    for number in order:
        for successor in successors(ends[number]):
            entries[successor] += 1
    merged: set[int] = set()
    chains: list[tuple[int, list[Step], End]] = []
    for number in order:
        if number in merged:
            continue
        steps, end = list(blocks[number][0]), ends[number]
        while isinstance(end, Jump) and entries[end.to] == 1 and end.to != number:
            merged.add(end.to)
            steps.extend(blocks[end.to][0])
            end = ends[end.to]
        chains.append((number, steps, end))
    chains = [chain for chain in chains if chain[0] not in merged]
    new = {number: index for index, (number, _, _) in enumerate(chains)}
    return tuple(BasicBlock(tuple(steps), _redirected(end, new)) for _, steps, end in chains)


def _threaded(blocks: Sequence[tuple[list[Step], End]]) -> dict[int, int]:
    """Where a jump to each block gets to, past blocks that only jump on."""
    target: dict[int, int] = {}
    for start in range(len(blocks)):
        path = []
        number = start
        while number not in target:
            path.append(number)
            target[number] = number  # breaks a cycle of empty blocks
            steps, end = blocks[number]
            if steps or not isinstance(end, Jump):
                break
            number = end.to
        for passed in path:
            target[passed] = target[number]
    return target


def _reached(ends: Sequence[End]) -> list[int]:
    """The blocks that control can get to, in reverse postorder: a loop before what follows it."""
    seen = {0}
    order: list[int] = []
    path = [(0, list(successors(ends[0])))]
    while path:
        number, left = path[-1]
        if not left:
            order.append(number)
            path.pop()
            continue
        successor = left.pop()
        if successor not in seen:
            seen.add(successor)
            path.append((successor, list(successors(ends[successor]))))
    order.reverse()
    return order


def _redirected(end: End, to: dict[int, int]) -> End:
    match end:
        case Jump():
            return replace(end, to=to[end.to])
        case Branch():
            return replace(end, then=to[end.then], otherwise=to[end.otherwise])
        case Switch():
            cases = tuple(replace(case, to=to[case.to]) for case in end.cases)
            return replace(end, cases=cases, default=to[end.default])
        case _:
            return end
