"""Functions that do not return, by their declaration (`noreturn`), and calls of them.

Of one without a body the declaration is all that is known: nothing comes after a call of it. What
one with a body does is known from the body, whatever was declared.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from precis.frontends.clang.simplify import simplified
from precis.ir.instr import Assume, Call, Unreachable
from precis.ir.procedure import BasicBlock, Procedure
from precis.ir.values import FALSE, Term

_ATTRIBUTE = "__attribute__"


def is_endless(head: str, type_: str) -> bool:
    """From a function and its type, as clang prints them: gcc's attribute is part of the type. What
    stands in the parameters, or is said of a function that is given back, is not about it."""
    shape = _outside_of_parentheses(type_)
    if ")(" in shape.replace(" ", ""):
        return False
    return "noreturn" in (shape + _outside_of_parentheses(head)).lower()


def _outside_of_parentheses(text: str) -> str:
    """Without what is in parentheses, but with attributes that are not."""
    kept: list[str] = []
    depth, inside = 0, False  # inside of an attribute
    for letter in text:
        if letter == ")":
            depth -= 1
            inside = inside and depth > 0
        if depth == 0 or inside:
            kept.append(letter)
        if letter == "(":
            inside = inside or (depth == 0 and "".join(kept[:-1]).rstrip().endswith(_ATTRIBUTE))
            depth += 1
    return "".join(kept)


def ended(procedure: Procedure, endless: Container[str]) -> Procedure:
    """The procedure, where control ends at calls of these functions."""
    blocks = tuple(_cut(block, endless) for block in procedure.blocks)
    if all(new is old for new, old in zip(blocks, procedure.blocks, strict=True)):
        return procedure
    return replace(procedure, blocks=simplified([(list(b.steps), b.end) for b in blocks]))


def _cut(block: BasicBlock, endless: Container[str]) -> BasicBlock:
    for index, step in enumerate(block.steps):
        if isinstance(step, Call) and _called(step.function) in endless:
            steps = (*block.steps[: index + 1], Assume(FALSE, step.at))
            return BasicBlock(steps, Unreachable(step.at))
    return block


def _called(function: Term) -> str:
    """The name of a function that is called directly."""
    while function.op == "cast":
        function = function.args[0]
    return str(function.data) if function.op == "function" else ""
