"""What a state need not say any more when control goes on to another block.

A variable that is not read again says nothing, unless it still counts as holding a block
(assumption 16). Where fewer conditions are kept apart, a choice or a number that nobody outside
knows, and that no value hangs on, is taken out of the condition under which control gets here: it
says the same of all the rest. (Else it stays: where ways meet again it tells which of them a value
came by.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from precis.domains.heap.forget import guards_of, inner_keys, numbers_in, symbols_of
from precis.domains.heap.guards import Bracket
from precis.domains.heap.names import UNDEFINED, Kind, Value
from precis.domains.heap.sets import Values
from precis.domains.heap.state import State
from precis.domains.heap.theory import Atom
from precis.ir.holders import lasting
from precis.ir.liveness import live_with_checks
from precis.ir.procedure import Procedure

_FEW: Final = 8  # atoms that are not worth the trouble


def dropping(procedure: Procedure, holding: bool) -> Callable[[int, State], State]:
    """The state as a block of the procedure needs it. `holding`: does it matter which variables
    hold blocks?"""
    live = live_with_checks(procedure)
    holders = lasting(procedure) if holding else 0
    count = len(procedure.variables)

    def dropped(block: int, state: State) -> State:
        if block >= 0:
            variables = tuple(
                values
                if values is None or index >= count or live[block] >> index & 1
                else _rest(values, bool(holders >> index & 1))
                for index, values in enumerate(state.variables)
            )
            state = replace(state, variables=variables)
        return without_idle(state) if state.frame.relation.is_coarse else state

    return dropped


def _rest(values: Values, holds: bool) -> Values | None:
    """What a variable that is not read any more still says, if it may hold a block."""
    return values if holds and any(map(_leads, values)) else None


def _leads(value: Value) -> bool:
    return value.base is not None and value.base is not UNDEFINED


def without_idle(state: State) -> State:
    """Without the choices and numbers that only the condition of the state itself asks."""
    theory = state.frame.theory
    guards = theory.guards
    asked = guards.support(state.reach.may) | guards.support(state.reach.must)
    if len(asked) <= _FEW:
        return state
    keys = {key for number in asked for key in inner_keys(theory.atoms[number])}
    if not keys:
        return state
    idle = _alone(keys - _used(state), [theory.atoms[number] for number in asked])
    gone = [n for n in sorted(asked) if not idle.isdisjoint(inner_keys(theory.atoms[n]))]
    if not gone:
        return state
    numbers = [s for s in numbers_in(theory.atoms[n] for n in gone) if s.parts[0] in idle]
    return state.with_reach(theory.forgotten(state.reach, gone, numbers, cares=False))


def _alone(keys: set[Any], atoms: list[Atom]) -> set[Any]:
    """Those that no atom ties to anything else: what is known of them says nothing of the rest."""
    while True:
        tied = {key for atom in atoms for key in inner_keys(atom) if not _is_within(atom, keys)}
        if keys.isdisjoint(tied):
            return keys
        keys = keys - tied


def _is_within(atom: Atom, keys: set[Any]) -> bool:
    """Does it speak of these only?"""
    if atom[0] != "most":
        return True
    return all(s.kind is Kind.ANY and s.parts[0] in keys for s, _ in atom[1])


def _used(state: State) -> set[Any]:
    """The keys of choices and numbers that the values of a state, and their conditions, ask."""
    theory = state.frame.theory
    atoms: set[int] = set()
    rest = replace(state, reach=Bracket(1, 1))
    for guard in set(guards_of(rest)):
        atoms |= theory.guards.support(guard)
    found = {key for number in atoms for key in inner_keys(theory.atoms[number])}
    return found | {s.parts[0] for s in symbols_of(state) if s.kind is Kind.ANY}
