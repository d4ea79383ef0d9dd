"""The order in which a fixpoint over a procedure visits its blocks.

A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings",
1993) lists the blocks with nested components, each with a head, such that every edge either
goes forward or goes to the head of a component that it starts in. So every cycle has a head
on it, and to widen at heads is enough.

Only blocks that control can reach from block 0 are listed. No function here is recursive: a
procedure may have more blocks than Python has stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from precis.ir.instr import successors
from precis.ir.procedure import Procedure


@dataclass(frozen=True, slots=True)
class WeakOrder:
    """`blocks` in order. The component of a head is the `span[head]` blocks from it on."""

    blocks: tuple[int, ...]
    span: Mapping[int, int]

    def __str__(self) -> str:
        """Components in parentheses, as in `0 (1 2 (3 4)) 5`."""
        closing: dict[int, int] = {}
        words = []
        for at, block in enumerate(self.blocks):
            if block in self.span:
                last = at + self.span[block] - 1
                closing[last] = closing.get(last, 0) + 1
            words.append("(" * (block in self.span) + str(block) + ")" * closing.get(at, 0))
        return " ".join(words)


def edges(procedure: Procedure) -> tuple[tuple[int, ...], ...]:
    """The successors of each block."""
    return tuple(successors(block.end) for block in procedure.blocks)


def predecessors(following: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The predecessors of each block, in ascending order."""
    found: list[list[int]] = [[] for _ in following]
    for block, targets in enumerate(following):
        for target in targets:
            found[target].append(block)
    return tuple(map(tuple, found))


def reverse_postorder(following: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Each block that block 0 reaches, before its successors except along back edges."""
    seen = {0} if following else set()
    path = [(0, iter(following[0]))] if following else []
    order = []
    while path:
        block, rest = path[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                path.append((target, iter(following[target])))
                break
        else:
            path.pop()
            order.append(block)
    return tuple(reversed(order))


def weak_order(following: Sequence[Sequence[int]]) -> WeakOrder:
    """The weak topological order of the blocks that block 0 reaches.

    As in Bourdoncle's algorithm, the head of a component is its first block in depth-first
    order, and the rest of the component is ordered in the same way, without the head.
    """
    blocks: list[int] = []
    span: dict[int, int] = {}
    regions = _Regions(following)
    work: list[list[int] | _Close] = [*regions.components((0,))] if following else []
    while work:
        task = work.pop()
        if isinstance(task, _Close):
            span[task.head] = len(blocks) - task.start
            continue
        head = task[0]
        if len(task) > 1 or head in following[head]:
            work.append(_Close(head, len(blocks)))
            regions.enter(task)
            work.extend(regions.components(following[head]))
        blocks.append(head)
    return WeakOrder(tuple(blocks), span)


@dataclass(frozen=True, slots=True)
class _Close:
    """The component of `head`, which is at `start` in the order, is complete."""

    head: int
    start: int


class _Regions:
    """The strongly connected components of one part of the graph after another."""

    __slots__ = ("_current", "_following", "_region")

    def __init__(self, following: Sequence[Sequence[int]]) -> None:
        self._following = following
        self._region = [0] * len(following)
        self._current = 0

    def enter(self, component: list[int]) -> None:
        """From now on only this component counts, without its head."""
        self._current += 1
        for block in component[1:]:
            self._region[block] = self._current
        self._region[component[0]] = -1

    def components(self, roots: Sequence[int]) -> list[list[int]]:
        """Those reachable from the roots, each with its first block at the front.

        A component comes after all that it leads to (Tarjan 1972), and what branches lead to
        is taken from the last to the first: reversed, the list keeps to the order of the text.
        """
        number: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        found: list[list[int]] = []
        path: list[tuple[int, Iterator[int]]] = [(-1, reversed(roots))]
        while path:
            block, rest = path[-1]
            for target in rest:
                if self._region[target] != self._current:
                    continue
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    path.append((target, reversed(self._following[target])))
                    break
                if block >= 0 and target in low:
                    low[block] = min(low[block], number[target])
            else:
                path.pop()
                if block >= 0:
                    _leave(block, path[-1][0], number, low, stack, found)
        return found


def _leave(
    block: int,
    parent: int,
    number: dict[int, int],
    low: dict[int, int],
    stack: list[int],
    found: list[list[int]],
) -> None:
    """All that follows `block` is known. Only blocks still on the stack have an entry in low."""
    if parent >= 0:
        low[parent] = min(low[parent], low[block])
    if low[block] == number[block]:
        at = len(stack) - 1
        while stack[at] != block:
            at -= 1
        component = stack[at:]
        del stack[at:]
        for member in component:
            del low[member]
        found.append(component)
