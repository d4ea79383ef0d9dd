"""Errors of clang that are none to gcc.

What gcc only warns of is passed over. What clang cannot represent costs the statement that it
stands in: the rest of the file is read, and clang's tree has the rest of the function.
"""

from __future__ import annotations

import re
from typing import Final

from precis.frontends.clang.cursors import Diagnostic, Fault, Node, Unit
from precis.frontends.clang.kinds import Kind
from precis.ir.location import Location

_HARMLESS: Final = re.compile(
    r"attribute does not appear on the first declaration"
    r"|attributes are not compatible"
    r"|'(__)?malloc(__)?' attribute takes no arguments"
    r"|conflicting types for '__(builtin|sync|atomic)_"
)
_LOCAL: Final = {
    "function definition is not allowed here": "nested function",
    "fields must have a constant size": "struct with an array of variable length",
    "use of unknown builtin": "builtin function that clang does not know",
    "indirect goto might cross protected scopes": "goto * out of a scope",
    " in asm": "assembler code with operands that clang does not know",
    "for constraint '": "assembler code with operands that clang does not know",
}


def is_harmless(diagnostic: Diagnostic) -> bool:
    return not diagnostic.is_error or bool(_HARMLESS.search(diagnostic.message))


def is_of_gnu89(diagnostic: Diagnostic) -> bool:
    """Is it of a file that takes `extern inline` as gcc did before C99?"""
    return diagnostic.message.startswith("redefinition of a 'extern inline' function")


def local_fault(unit: Unit, diagnostic: Diagnostic) -> Fault | None:
    """The error as a fault of one statement, if it is such a one and in a function."""
    for part, reason in _LOCAL.items():
        if part in diagnostic.message and unit.is_in_function(diagnostic.place):
            return Fault(reason, diagnostic.place)
    return None


def broken_statements(unit: Unit, root: Node) -> dict[Node, str]:
    """The innermost statements of a function that hold a fault each, with the reasons."""
    return {
        _innermost(unit, root, fault.place): fault.reason
        for fault in unit.faults
        if _holds(unit.place(root), fault.place)
    }


def _innermost(unit: Unit, root: Node, place: Location) -> Node:
    found = node = root
    while True:
        inner = [child for child in node.children if _holds(unit.place(child), place)]
        if not inner:
            return found
        node = inner[-1]
        if node.kind >= Kind.UNEXPOSED_STMT:
            found = node


def _holds(range_: Location, place: Location) -> bool:
    start, end = (range_.line, range_.column), (range_.end_line, range_.end_column)
    return range_.file == place.file and start <= (place.line, place.column) < end
