"""What a call may lead to, if it does not name it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from precis.domains.heap.names import TOP, UNDEFINED, Kind, Value, is_region, name, pointer
from precis.domains.heap.pointers import is_code, same_place
from precis.domains.heap.sets import holds
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.ir.instr import Call
from precis.ir.program import Program
from precis.ir.signature import fits

MOST_CANDIDATES: Final = 8  # procedures that an unknown pointer may lead to
OUTSIDE: Final = ""  # in place of a name: a function that is not part of the program


@final
class Reached:
    """`taken` are the procedures that pointers may lead to; `outside`: functions of others may be
    called, too, and it is assumed what they do."""

    def __init__(self, program: Program, terms: Terms, taken: Sequence[str], outside: bool) -> None:
        self._program = program
        self._terms = terms
        self._taken = taken
        self._outside = outside

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        """The procedures, and OUTSIDE; None if they are too many, or nobody knows."""
        if call.function.op == "function":
            return (str(call.function.data),)
        found: dict[str, None] = {}
        for value in self._terms.values(state, call.function):
            if value.base is None or value.base is UNDEFINED:
                continue  # the check before the call speaks of it
            if value.base.kind is Kind.CODE and value.is_constant:
                found[str(value.base.parts[0])] = None
            elif self._comes_from_outside(value):
                found.update(dict.fromkeys(self._candidates(call)))
                if self._outside:
                    found[OUTSIDE] = None
            else:
                return None
        return tuple(found) if len(found) <= MOST_CANDIDATES else None

    def _comes_from_outside(self, value: Value) -> bool:
        """Is it a pointer to a function that callers, or whoever else, may give?"""
        if value.base is TOP:
            return self._outside
        assert value.base is not None
        return is_region(value.base) and value == pointer(value.base)

    def _candidates(self, call: Call) -> list[str]:
        """The procedures that an unknown pointer can lead to, if it is one that may be called."""
        procedures = self._program.procedures
        return [n for n in self._taken if n not in procedures or fits(procedures[n], call)]

    def where(self, state: State, call: Call, target: str) -> State | None:
        """The state where a pointer leads to one of the targets; None if it cannot."""
        values = self._terms.values(state, call.function)
        guards = state.frame.theory.guards
        if target == OUTSIDE:
            return state.narrowed(holds(guards, values, lambda v: is_code(state, v)))
        code = pointer(name(Kind.CODE, target))
        return state.narrowed(holds(guards, values, lambda v: same_place(state, v, code)))
