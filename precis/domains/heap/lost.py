"""Which heap blocks something still leads to."""

from __future__ import annotations

from typing import final

from precis.domains.heap.guards import ALWAYS, NEVER, Bracket
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.ir.instr import BlockKind, End, Step


@final
class Lost:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def kept(self, state: State, following: Step | End) -> Bracket:
        """Does the step leave every live heap block reachable?"""
        if not any(block.kind is BlockKind.HEAP for block in state.blocks.values()):
            return ALWAYS
        return NEVER

    def all_freed(self, state: State) -> Bracket:
        guards = state.frame.theory.guards
        found = ALWAYS
        for base, block in state.blocks.items():
            if block.kind is BlockKind.HEAP:
                found = guards.all_of(found, state.is_dead(base))
        return found if state.frame.is_root else NEVER
