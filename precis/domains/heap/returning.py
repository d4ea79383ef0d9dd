"""Which procedures certainly return to whoever calls them."""

from __future__ import annotations

from precis.ir.callgraph import CallGraph
from precis.ir.instr import Halt, Unsupported
from precis.ir.loops import edges, weak_order
from precis.ir.procedure import Procedure
from precis.ir.program import Program


def returning(program: Program, graph: CallGraph) -> frozenset[str]:
    """Those without loops, recursion and exits whose callees are of the same kind."""
    found: set[str] = set()
    for component in graph.components:
        if graph.is_recursive(component):
            continue
        (name,) = component
        procedure = program.procedures[name]
        if _goes_on(procedure) and all(callee in found for callee in graph.callees[name]):
            found.add(name)
    return frozenset(found)


def _goes_on(procedure: Procedure) -> bool:
    if weak_order(edges(procedure)).span:
        return False
    return not any(
        isinstance(block.end, Halt) or any(isinstance(step, Unsupported) for step in block.steps)
        for block in procedure.blocks
    )
