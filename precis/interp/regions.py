"""Loops of a control-flow graph, nested, with their parts in an order that runs forward.

A region is a loop or the whole procedure: a sequence of blocks and inner regions. Within it
every jump goes forward in the sequence, back to a header, or out. A loop entered at one block
has that as its header; other loops (a goto into a loop), and those nested too deep for Python,
have several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

DEEPEST = 8  # nested loops; Python allows 20, and 100 levels of indentation


@dataclass(slots=True, eq=False)
class Region:
    headers: tuple[int, ...]  # of a loop; the procedure has none
    parts: list[int | Region] = field(default_factory=list)

    def entries(self) -> tuple[int, ...]:
        return self.headers


def regions(successors: Sequence[Sequence[int]]) -> tuple[Region, dict[int, Region]]:
    """The procedure as a region, and the innermost region of each reachable block."""
    reachable = _reachable(successors)
    predecessors: dict[int, set[int]] = {node: set() for node in reachable}
    for node in reachable:
        for to in successors[node]:
            predecessors[to].add(node)
    whole = Region(())
    home: dict[int, Region] = {}
    work: list[tuple[Region, set[int], int]] = [(whole, set(reachable), 0)]
    while work:
        region, nodes, depth = work.pop()
        inside = {
            node: [to for to in successors[node] if to in nodes and to not in region.headers]
            for node in sorted(nodes)
        }
        for component in _components(inside):
            if len(component) == 1 and component[0] not in inside[component[0]]:
                region.parts.append(component[0])
                home[component[0]] = region
                continue
            inner = Region(_headers(component, successors, predecessors, depth))
            region.parts.append(inner)
            work.append((inner, set(component), depth + 1))
    return whole, home


def _reachable(successors: Sequence[Sequence[int]]) -> list[int]:
    seen = {0}
    order = [0]
    for node in order:
        for to in successors[node]:
            if to not in seen:
                seen.add(to)
                order.append(to)
    return order


def _headers(
    component: Iterable[int],
    successors: Sequence[Sequence[int]],
    predecessors: dict[int, set[int]],
    depth: int,
) -> tuple[int, ...]:
    nodes = set(component)
    entries = sorted(node for node in nodes if node == 0 or predecessors[node] - nodes)
    if depth < DEEPEST:
        return tuple(entries)
    return tuple(sorted({*entries, *_retreating(entries, nodes, successors)}))


def _retreating(
    entries: list[int], nodes: set[int], successors: Sequence[Sequence[int]]
) -> set[int]:
    """Targets of edges that close a cycle in a depth-first walk."""
    found: set[int] = set()
    state: dict[int, int] = {}  # 1: on the path, 2: done
    for entry in entries:
        stack = [(entry, iter(successors[entry]))] if entry not in state else []
        state.setdefault(entry, 1)
        while stack:
            node, rest = stack[-1]
            to = next((t for t in rest if t in nodes), None)
            if to is None:
                state[node] = 2
                stack.pop()
            elif to not in state:
                state[to] = 1
                stack.append((to, iter(successors[to])))
            elif state[to] == 1:
                found.add(to)
    return found


def _components(graph: dict[int, list[int]]) -> list[list[int]]:
    """Strongly connected components, those that jump to others first (Tarjan)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    done: set[int] = set()
    found: list[list[int]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        path = [(root, iter(graph[root]))]
        while path:
            node, rest = path[-1]
            to = next(rest, None)
            if to is not None:
                if to not in number:
                    number[to] = low[to] = len(number)
                    stack.append(to)
                    path.append((to, iter(graph[to])))
                elif to not in done:
                    low[node] = min(low[node], number[to])
                continue
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == number[node]:
                cut = stack.index(node)
                found.append(sorted(stack[cut:]))
                done.update(stack[cut:])
                del stack[cut:]
    found.reverse()
    return found
