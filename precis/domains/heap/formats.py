"""Which texts a program prints by."""

from __future__ import annotations

import re
from typing import Final

from precis.domains.heap.initial import bytes_of
from precis.ir.callgraph import CallGraph
from precis.ir.instr import Call
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.values import Term

FORMATTERS: Final = ("__precis_format_stream", "__precis_format_text")
_STORES: Final = re.compile(rb"%[-+ #'I*$0-9.]*(hh|h|ll|l|j|z|t|q|L)?n")


def formats_are_plain(program: Program, graph: CallGraph) -> bool:
    """Is every format that a program gives to the library a literal without %n?"""
    prints = {
        name: procedure
        for name, procedure in program.procedures.items()
        if procedure.library and set(FORMATTERS) & set(graph.reachable((name,)))
    }
    if prints.keys() & set(graph.address_taken):
        return False
    return all(
        _is_plain(program, step, prints)
        for procedure in program.procedures.values()
        if not procedure.library
        for block in procedure.blocks
        for step in block.steps
        if isinstance(step, Call) and step.function.op == "function"
    )


def _is_plain(program: Program, call: Call, prints: dict[str, Procedure]) -> bool:
    model = prints.get(str(call.function.data))
    if model is None:
        return True
    for index, parameter in enumerate(model.parameters):
        if model.variables[parameter].name == "format":
            text = None
            if index < len(call.arguments):
                text = _text(program, call.arguments[index])
            if text is None or _STORES.search(text):
                return False
    return True


def _text(program: Program, term: Term) -> bytes | None:
    while term.op == "cast":
        term = term.args[0]
    return bytes_of(program, str(term.data)) if term.op == "global" else None
