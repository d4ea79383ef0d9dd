"""Who calls whom.

A call by name reaches the procedure of that name. Any other call may reach every procedure
whose address is taken and that takes such arguments. What an external procedure calls in
turn is not known here; at worst it is every procedure whose address is taken.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from precis.ir.instr import Call, Spawn, operands
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.signature import fits, signature
from precis.ir.values import Term, subterms


@dataclass(frozen=True, slots=True)
class CallGraph:
    """All names are in the order of the program, externals before procedures.

    `callees` has an entry for each procedure, `named` has those among them that it calls by name,
    `callers` one for each external too. In
    `components`, the strongly connected components of the procedures, callees come before
    their callers, and otherwise the order of the program holds.
    """

    callees: Mapping[str, tuple[str, ...]]
    named: Mapping[str, tuple[str, ...]]
    callers: Mapping[str, tuple[str, ...]]
    address_taken: tuple[str, ...]
    components: tuple[tuple[str, ...], ...]

    def reachable(self, roots: Iterable[str]) -> tuple[str, ...]:
        """The roots and all that they may call, however indirectly."""
        return self._reachable(roots, self.callees)

    def by_name(self, roots: Iterable[str]) -> tuple[str, ...]:
        """As `reachable`, by calls that name what they call."""
        return self._reachable(roots, self.named)

    def _reachable(
        self, roots: Iterable[str], callees: Mapping[str, tuple[str, ...]]
    ) -> tuple[str, ...]:
        seen = set(roots)
        work = list(seen)
        while work:
            fresh = [name for name in callees.get(work.pop(), ()) if name not in seen]
            seen.update(fresh)
            work.extend(fresh)
        return tuple(name for name in self.callers if name in seen)

    def is_recursive(self, component: tuple[str, ...]) -> bool:
        return len(component) > 1 or component[0] in self.callees[component[0]]


def call_graph(program: Program) -> CallGraph:
    place = {name: at for at, name in enumerate((*program.externals, *program.procedures))}
    taken = _in_order(_taken(program), place)
    callees, named = {}, {}
    for name, procedure in program.procedures.items():
        by_name = list(_named(procedure))
        named[name] = _in_order(by_name, place)
        callees[name] = _in_order((*by_name, *_pointed(program, procedure, taken)), place)
    callers: dict[str, list[str]] = {name: [] for name in place}
    for name, called in callees.items():
        for callee in called:
            callers[callee].append(name)
    return CallGraph(
        callees,
        named,
        {name: tuple(calling) for name, calling in callers.items()},
        taken,
        _components(callees),
    )


def _in_order(names: Iterable[str], place: Mapping[str, int]) -> tuple[str, ...]:
    """Each name once; names that the program lacks are left out."""
    return tuple(sorted({name for name in names if name in place}, key=place.__getitem__))


def _calls(procedure: Procedure) -> Iterator[Call | Spawn]:
    for block in procedure.blocks:
        for step in block.steps:
            if isinstance(step, Call | Spawn):
                yield step


def _named(procedure: Procedure) -> Iterator[str]:
    for step in _calls(procedure):
        if step.function.op == "function":
            yield str(step.function.data)


def _pointed(program: Program, procedure: Procedure, taken: tuple[str, ...]) -> Iterator[str]:
    """What is called through pointers."""
    for step in _calls(procedure):
        if step.function.op != "function":
            yield from (name for name in taken if _takes(program, name, step))


def _takes(program: Program, name: str, step: Call | Spawn) -> bool:
    """Can the procedure be what a call leads to? Of one without a body only the number of arguments
    is asked, and of one that is started as a thread."""
    procedure = program.procedures.get(name)
    if procedure is not None and isinstance(step, Call):
        return fits(procedure, step)
    count = len(step.arguments) if isinstance(step, Call) else 1
    if procedure is not None:
        return len(procedure.parameters) == count
    return len(signature(program.externals[name].type).parameters) == count


def _taken(program: Program) -> Iterator[str]:
    """The procedures whose addresses are values, and not only called by name."""
    for global_ in program.globals.values():
        for piece in global_.pieces:
            if isinstance(piece.value, Term):
                yield from _functions(piece.value)
    for procedure in program.procedures.values():
        for block in procedure.blocks:
            for step in (*block.steps, block.end):
                roots = operands(step)
                if isinstance(step, Call | Spawn) and step.function.op == "function":
                    roots = roots[1:]
                for root in roots:
                    yield from _functions(root)


def _functions(root: Term) -> Iterator[str]:
    return (str(node.data) for node in subterms(root) if node.op == "function")


def _components(callees: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    import rustworkx

    names = list(callees)
    number = {name: at for at, name in enumerate(names)}
    graph: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(names)
    edges = [
        (number[name], number[callee])
        for name, called in callees.items()
        for callee in called
        if callee in number
    ]
    graph.add_edges_from_no_data(edges)
    found = sorted(sorted(members) for members in rustworkx.strongly_connected_components(graph))
    order = _bottom_up(found, edges)
    return tuple(tuple(names[member] for member in found[at]) for at in order)


def _bottom_up(components: list[list[int]], edges: list[tuple[int, int]]) -> list[int]:
    """The numbers of the components, callees first, the lowest first among those ready."""
    home = {member: at for at, members in enumerate(components) for member in members}
    across = {(home[a], home[b]) for a, b in edges if home[a] != home[b]}
    waiting = [0] * len(components)  # for how many callees
    callers: list[list[int]] = [[] for _ in components]
    for caller, callee in across:
        waiting[caller] += 1
        callers[callee].append(caller)
    ready = [at for at, count in enumerate(waiting) if count == 0]
    order = []
    while ready:
        at = heapq.heappop(ready)
        order.append(at)
        for caller in callers[at]:
            waiting[caller] -= 1
            if waiting[caller] == 0:
                heapq.heappush(ready, caller)
    return order
