"""What callers must establish: obligations over the entry of a procedure.

A parameter that is never assigned, and a variable that is assigned once from such, stand for
the same value throughout an activation. An obligation over them alone can be asked of the
callers instead: that it holds when the procedure is entered, wherever the tests on the way to
it go the same way. For pointers that is enough only if nothing was freed in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from precis.ir import obligation as ob
from precis.ir.clike import print_term
from precis.ir.instr import Assign, Step, target_of
from precis.ir.procedure import Procedure
from precis.ir.values import Term, not_, subterms, term

MOST_NODES = 40


@dataclass(frozen=True, slots=True)
class FrameIsFree:
    """A need: the callers have no live heap memory."""

    def describe(self, procedure: Procedure) -> str:
        return "no caller has allocated memory"


@dataclass(frozen=True, slots=True)
class HoldsAtEntry:
    """A need: the obligation holds at the entry wherever the guards do. Variables in it are the
    parameters by their place. `always`: every run of the procedure gets to it."""

    obligation: ob.Obligation
    guards: tuple[tuple[Term, bool], ...]
    always: bool

    def describe(self, procedure: Procedure) -> str:
        named = {at: term("var", procedure.variables[p].type, (), p)
                 for at, p in enumerate(procedure.parameters)}  # fmt: skip
        text = _wanted(self.obligation, named, procedure)
        for guard, truth in self.guards:
            tested = guard if truth else not_(guard)
            text += f", where {_shown(substituted(tested, named), procedure)}"
        return text


def _wanted(obligation: ob.Obligation, named: Mapping[int, Term], procedure: Procedure) -> str:
    terms = [_shown(substituted(t, named), procedure) for t in ob.terms_of(obligation)]
    match obligation:
        case ob.ValidRead():
            return f"{terms[0]} can be read ({terms[1]} bytes)"
        case ob.ValidWrite():
            return f"{terms[0]} can be written ({terms[1]} bytes)"
        case ob.ValidFree():
            return f"{terms[0]} can be freed"
        case ob.NoOverflow():
            return f"{terms[0]} does not overflow"
        case ob.ShiftInRange():
            return f"{terms[0]} is a valid shift"
        case ob.NonZero():
            return f"the divisor in {terms[0]} is not zero"
        case _:
            raise AssertionError(f"not asked of callers: {obligation}")


def _shown(root: Term | None, procedure: Procedure) -> str:
    return "?" if root is None else print_term(root, procedure)


def entry_terms(procedure: Procedure) -> dict[int, Term]:
    """For variables that keep one value: that value as a term over the parameters' places."""
    assigned: dict[int, list[Step]] = {}
    for block in procedure.blocks:
        for step in block.steps:
            target = target_of(step)
            if target is not None:
                assigned.setdefault(target, []).append(step)
    found = {
        parameter: term("var", procedure.variables[parameter].type, (), at)
        for at, parameter in enumerate(procedure.parameters)
        if parameter not in assigned
    }
    changed = True
    while changed:
        changed = False
        for variable, steps in assigned.items():
            if variable in found or len(steps) != 1 or not isinstance(steps[0], Assign):
                continue
            value = substituted(steps[0].value, found)
            if value is not None and over_entry(value):
                found[variable] = value
                changed = True
    return found


def over_entry(root: Term) -> bool:
    """Does the term mean the same to the caller? Objects of the procedure do not."""
    return all(node.op != "local" for node in subterms(root))


def substituted(root: Term, values: Mapping[int, Term]) -> Term | None:
    """The term with its variables replaced; None if one has no value, or it is too large."""
    made: dict[Term, Term] = {}
    for count, node in enumerate(subterms(root)):
        if count >= MOST_NODES or node.op == "undef":
            return None
        if node.op == "var":
            assert isinstance(node.data, int)
            value = values.get(node.data)
            if value is None or value.type != node.type:
                return None
            made[node] = value
        elif node.args:
            made[node] = term(node.op, node.type, tuple(made[a] for a in node.args), node.data)
        else:
            made[node] = node
    return made[root]


def moved(obligation: ob.Obligation, values: Mapping[int, Term]) -> ob.Obligation | None:
    """The obligation with the variables of its terms replaced."""
    terms = [substituted(t, values) for t in ob.terms_of(obligation)]
    if not terms or any(t is None for t in terms):
        return None
    first = terms[0]
    assert first is not None
    match obligation:
        case ob.ValidRead() | ob.ValidWrite():
            assert terms[1] is not None
            return type(obligation)(first, terms[1])
        case ob.ValidFree():
            return ob.ValidFree(first)
        case ob.NoOverflow() | ob.ShiftInRange() | ob.NonZero():
            return type(obligation)(first)
        case _:
            return None


def needs_calm(obligation: ob.Obligation) -> bool:
    """Can what happens between entry and obligation make it false?"""
    return isinstance(obligation, ob.ValidRead | ob.ValidWrite | ob.ValidFree)
