"""Calls of functions without a body, if it is assumed what they do (assumption 19).

What one gives is a pointer that callers might as well have handed in: it is named after the call,
and what is needed of it is asked of whoever provides the function, as a precondition. Where
everything is known from the entry of the program on there is nobody to ask: it leads anywhere. In
a loop the name stands for the newest one (`rebound.py`). A variable whose address is handed over
may get such a value, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from precis.domains.heap import memory
from precis.domains.heap.choices import choice
from precis.domains.heap.guards import NEVER
from precis.domains.heap.names import DEEPEST, Name, Value, constant, given, minus
from precis.domains.heap.rebound import rebound
from precis.domains.heap.sets import TOP_SET, Values, only, under, union
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.heap.transfer import Transfer, of_type
from precis.domains.protocol import CallSite
from precis.ir.instr import BlockKind, Call, Content
from precis.ir.types import Int, Pointer, Type, scalar_bytes


@final
@dataclass(frozen=True, slots=True)
class Externals:
    terms: Terms
    transfer: Transfer

    def after(self, state: State, call: Call, at: CallSite) -> State:
        """The memory after a call of a function without a body."""
        spot = state.spot(at)
        for index, argument in enumerate(call.arguments):
            if isinstance(argument.type, Pointer):
                places = self.terms.values(state, argument)
                state = self._left(state, places, argument.type.target, (*spot, "leaves", index))
        if call.target is None:
            return state
        type_ = state.frame.procedure.variables[call.target].type
        if not isinstance(type_, Pointer):
            return self.transfer.any_result(state, call, at)
        leads_back = any(
            argument.type == type_ and _leads_in(state, self.terms.values(state, argument))
            for argument in call.arguments
        )
        values = TOP_SET
        if not leads_back:
            state, values = result(state, (*spot, "gives", repr(type_)))
        return state.with_variable(call.target, values)

    def _left(self, state: State, places: Values, target: Type, key: tuple[Any, ...]) -> State:
        """Variables that lie where an argument leads may have got any value."""
        for place, b in places.items():
            base = place.base
            block = None if base is None else state.blocks.get(base)
            if base is None or block is None or not place.is_constant or block.many:
                continue
            if block.kind is BlockKind.HEAP:
                continue
            is_whole = isinstance(target, Int | Pointer) and block.size == constant(
                scalar_bytes(target, state.frame.program.model)
            )
            if is_whole and isinstance(target, Int):
                state = memory.store(state, {place: b}, of_type(target), target)
            elif is_whole and isinstance(target, Pointer):
                state, values = self._either(state, {place: b}, target, key)
                state = memory.store(state, {place: b}, values, target)
            elif block.content is Content.INDETERMINATE and _is_untouched(state, base):
                size = minus(block.size, Value(None, (), place.number))
                state = self.transfer.smeared_all(state, {place: b}, only(size))
        return state

    def _either(
        self, state: State, places: Values, type_: Pointer, key: tuple[Any, ...]
    ) -> tuple[State, Values]:
        """A new value; or the old one, if that leads to memory of the program."""
        state, new = result(state, (*key, repr(type_)))
        old = memory.load(state, places, type_)
        kept = {value: b for value, b in old.items() if value.base in state.blocks}
        if not kept:
            return state, new
        state, stays = choice(state, key)
        guards = state.frame.theory.guards
        some = NEVER
        for b in kept.values():
            some = guards.any_of(some, b)
        other = guards.opposite(guards.all_of(stays, some))
        return state, union(guards, [under(guards, kept, stays), under(guards, new, other)])


def result(state: State, key: tuple[Any, ...]) -> tuple[State, Values]:
    """What comes from outside at a step: any pointer, under a name if that can be."""
    if state.frame.is_root:
        return state, TOP_SET
    if state.is_repeated(key):
        state = rebound(state, lambda old: old == key)
    return state, state.frame.unknown(given(key))


def brought(state: State, spot: tuple[Any, ...], symbol: Name, arguments: list[Any]) -> Values:
    """What a callee got from outside, as the caller knows it."""
    key = symbol.parts[0]
    depth, inner = 1, key
    while len(inner) == 4:
        if inner[:3] == spot:
            return TOP_SET
        inner, depth = inner[3], depth + 1
    if (
        state.frame.is_root
        or depth >= DEEPEST
        or any(repr(type_) == inner[-1] and _leads_in(state, values) for type_, values in arguments)
    ):
        return TOP_SET
    return state.frame.unknown(given((*spot, key)))


def _leads_in(state: State, values: Values) -> bool:
    """May it lead into a block that was made here?"""
    return any(value.base in state.blocks for value in values)


def _is_untouched(state: State, base: Name) -> bool:
    return not state.cells.get(base) and not state.spreads.get(base)
