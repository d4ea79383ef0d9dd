"""Calls without summaries: the body is analysed in the memory of each call.

For comparison, and for callees whose summary says too little. The callee's state is that of the
caller, with the caller's variables behind its own, so that whatever happens to names on the way
happens to them, too. Names and guards are those of the root.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Final, final

from precis.domains.heap import order
from precis.domains.heap.arithmetic import viewed
from precis.domains.heap.blocks import without
from precis.domains.heap.choices import named, settled
from precis.domains.heap.forget import forget, inner_of
from precis.domains.heap.frame import Frame, Relation
from precis.domains.heap.guards import ALWAYS, PERHAPS
from precis.domains.heap.instance import Site
from precis.domains.heap.names import ANYTHING, Kind, Name
from precis.domains.heap.sets import SOME_SET, TOP_SET, Values, mapped
from precis.domains.heap.state import State
from precis.domains.protocol import CallSite, GiveUp
from precis.ir.instr import Call
from precis.ir.procedure import Procedure
from precis.ir.types import Float, Type

DEEPEST: Final = 60  # calls in calls


@final
class Inlined:
    """An entry: the memory at one call, as the callee finds it."""

    __slots__ = ("_hash", "_key", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._key: Hashable = (state.frame.owner, id(state.frame.theory), order.key(state))
        self._hash = hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inlined) and self._key == other._key


@final
class Inliner:
    """The frames of calls that are followed into their bodies, by the way to them."""

    def __init__(self, held_at: Callable[[Procedure, Call, CallSite], tuple[int, ...]]) -> None:
        self._held_at = held_at
        self._frames: dict[tuple[str, Any, str], Frame] = {}
        self._above: dict[str, str] = {}
        self._depth: dict[str, int] = {}

    def entered(self, site: Site, at: CallSite) -> tuple[Inlined, Site]:
        """The callee's entry, and the call with what it must have forgotten."""
        frame = self._frame(site, at)
        state = site.state
        if state.is_repeated(site.spot):
            gone = [key for key in inner_of(state) if self._is_below(_owner(key), frame.owner)]
            if gone:
                state = forget(state, gone)
        variables: list[Values | None] = [None] * len(site.callee.variables)
        for number, index in enumerate(site.callee.parameters):
            type_ = site.callee.variables[index].type
            variables[index] = _as(state, site.arguments[number], type_)
        inside = replace(state, frame=frame, variables=(*variables, *state.variables), turns=())
        for index in site.callee.parameters:
            inside = named(inside, index, (frame.owner, -1, index, "number"))
        return Inlined(inside), replace(site, state=state)

    def _frame(self, site: Site, at: CallSite) -> Frame:
        caller = site.state.frame
        key = (caller.owner, site.spot, site.callee.name)
        found = self._frames.get(key)
        if found is None:
            depth = self._depth.get(caller.owner, 0) + 1
            if depth > DEEPEST:
                raise GiveUp("calls nest too deep to be followed one by one")
            owner = f"{site.callee.name}@{len(self._frames) + 1}"
            self._above[owner], self._depth[owner] = caller.owner, depth
            found = self._frames[key] = Frame(
                caller.program, site.callee, Relation(is_root=True), caller.alias, caller.calls,
                within=(caller, owner),
            )  # fmt: skip
            count = len(caller.procedure.variables)
            found.held = (
                *self._held_at(caller.procedure, site.call, at),
                *(count + index for index in caller.held),
            )
        return found

    def _is_below(self, owner: str, frame: str) -> bool:
        while owner != frame:
            above = self._above.get(owner)
            if above is None:
                return False
            owner = above
        return True


def _owner(key: Any) -> str:
    """The frame whose number or choice it is."""
    return str(key[1] if key[0] == "loop" else key[0])


def _as(state: State, values: Values, type_: Type) -> Values:
    """Values that are passed as a type."""
    if isinstance(type_, Float):
        return SOME_SET
    theory, where = state.frame.theory, state.reach.may
    return mapped(theory.guards, values, lambda v: viewed(theory, v, type_, where))


def left(site: Site, inside: State) -> State:
    """The caller's state when the callee has returned."""
    result, *variables = inside.variables
    state = replace(
        inside, frame=site.state.frame, variables=tuple(variables), turns=site.state.turns
    )
    target = site.call.target
    if target is not None:
        values = _as(state, result or TOP_SET, state.frame.procedure.variables[target].type)
        state, values = settled(state, values, (*site.spot, "result"))
        state = state.with_variable(target, values)
        state = named(state, target, (*site.spot, "number"))
    return _tidied(state, inside.frame.owner)


def _tidied(state: State, owner: str) -> State:
    """Without the locals of the callee that nothing leads to any more."""
    held: set[Name] = set()
    for values in state.variables:
        held.update(value.base for value in values or () if value.base is not None)
    for cells in state.cells.values():
        for content in cells.values():
            held.update(value.base for value in content if value.base is not None)
    for spreads in state.spreads.values():
        for spread in spreads:
            held.update(value.base for value, _ in spread.values if value.base is not None)
    gone = [
        base
        for base in state.blocks
        if base.kind is Kind.OBJECT and base not in held and base.parts[0][0][0] == owner
    ]
    return without(state, gone)


def unknown_after(entry: Inlined) -> State:
    """A state after the call that says nothing."""
    state = entry.state
    callers = state.variables[len(state.frame.procedure.variables) :]
    return replace(state, variables=({ANYTHING: ALWAYS}, *callers)).made_wild(PERHAPS)
