"""Where control goes at the end of a block, and with what.

Variables that are not read any more are forgotten on the way: states that differ in nothing else
become equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from precis.domains.numeric import Numeric
from precis.domains.protocol import GiveUp
from precis.domains.values import heap
from precis.domains.values.assume import Assumptions
from precis.domains.values.memory import LIVE
from precis.domains.values.num import Num
from precis.domains.values.state import NO_BLOCK, State, variables_of
from precis.domains.values.terms import Terms
from precis.domains.values.transfer import RESULT, Transfer
from precis.domains.values.value import UNSET, Value
from precis.domains.values.world import GIVEN, World
from precis.ir.instr import Branch, End, Halt, Jump, Return, Switch, Unreachable
from precis.ir.liveness import live_variables
from precis.ir.procedure import Procedure
from precis.ir.values import Term, compare, const

Leaves: TypeAlias = tuple[tuple[int, State], ...]


class Control:
    """The ends of one program's blocks."""

    def __init__(
        self, world: World, terms: Terms, assumptions: Assumptions, transfer: Transfer,
        numeric: Numeric[tuple[Num | None, ...]],
    ) -> None:  # fmt: skip
        self._world = world
        self._terms = terms
        self._assumptions = assumptions
        self._transfer = transfer
        self._numeric = numeric
        self._dead: dict[str, list[tuple[int, ...]]] = {}

    def end(self, procedure: Procedure, end: End, block: int) -> Callable[[State], Leaves]:
        match end:
            case Jump(to=to):
                clean = self._cleaner(procedure, to)
                return lambda state: ((to, clean(state)),)
            case Branch(condition=condition, then=then, otherwise=otherwise):
                return self._branch(procedure, condition, then, otherwise)
            case Switch():
                return self._switch(procedure, end)
            case Return(value=value):
                return self._return(procedure, value)
            case Halt():
                return lambda state: ((-1, state),)
            case Unreachable():
                return _never

    def _branch(
        self, procedure: Procedure, condition: Term, then: int, otherwise: int
    ) -> Callable[[State], Leaves]:
        ways = [
            (self._assumptions.assume(condition, truth), to, self._cleaner(procedure, to))
            for truth, to in ((True, then), (False, otherwise))
        ]
        variables = tuple(sorted(variables_of(condition)))

        def leave(state: State) -> Leaves:
            found: list[tuple[int, State]] = []
            for assume, to, clean in ways:
                after = assume(state)
                if after is None:
                    continue
                for part in self._transfer.split_after(state, after, variables):
                    found.append((to, clean(part)))
            return tuple(found)

        return leave

    def _switch(self, procedure: Procedure, end: Switch) -> Callable[[State], Leaves]:
        type_ = end.value.type
        ways = []
        for case in end.cases:
            low = compare("le", const(type_, case.low), end.value)
            high = compare("le", end.value, const(type_, case.high))
            single = compare("eq", end.value, const(type_, case.low))
            tests = (single,) if case.low == case.high else (low, high)
            inside = [self._assumptions.assume(test, True) for test in tests]
            outside = [self._assumptions.assume(test, False) for test in tests]
            ways.append((inside, outside, case.to, self._cleaner(procedure, case.to)))
        default, clean_default = end.default, self._cleaner(procedure, end.default)

        def leave(state: State) -> Leaves:
            found: list[tuple[int, State]] = []
            rest: list[State] = [state]
            for inside, outside, to, clean in ways:
                left: list[State] = []
                for part in rest:
                    chosen: State | None = part
                    for assume in inside:
                        chosen = None if chosen is None else assume(chosen)
                    if chosen is not None:
                        found.append((to, clean(chosen)))
                    parts = [assume(part) for assume in outside]
                    left.extend(p for p in parts if p is not None)
                rest = _few(left)
            found.extend((default, clean_default(part)) for part in rest)
            return tuple(found)

        return leave

    def _return(self, procedure: Procedure, value: Term | None) -> Callable[[State], Leaves]:
        evaluate = None if value is None else self._terms.value(value)

        def leave(state: State) -> Leaves:
            result = UNSET if evaluate is None else evaluate(state)
            return ((-1, self.left(state, result)),)

        return leave

    def left(self, state: State, result: Value) -> State:
        """The state at the exit: one variable, the result; no objects."""
        for name in state.objects:
            if name != NO_BLOCK:
                state = heap.ended(state, name)
        for name, block in state.blocks.items():
            if block.kind == "stack" and 0 < name < GIVEN and block.live & LIVE:
                state = heap.ended(state, name)
        numbers = self._numeric.put(self._numeric.start(1), RESULT, result[0])
        bare = State(
            numbers, ((result[1], result[2]),), state.blocks, (), {}, state.kept, state.calm,
            state.root, {},
        )  # fmt: skip
        return heap.collected(self._world, bare)

    def _cleaner(self, procedure: Procedure, to: int) -> Callable[[State], State]:
        """Variables that are not read any more are forgotten when a block is entered."""
        dead = self._dead_at(procedure)[to]
        named: frozenset[int] = frozenset()
        if "leaks" in self._world.properties:
            lasting = self._world.holders(procedure).lasting
            named = frozenset(v for v in dead if lasting >> v & 1)

        def clean(state: State) -> State:
            parts = list(state.parts)
            changed: list[int] = []
            for variable in dead:
                if variable in named and parts[variable][0]:
                    continue
                if parts[variable] != ((), True) or state.numbers[variable] is not None:
                    parts[variable] = ((), True)
                    changed.append(variable)
            if not changed:
                return state
            numbers = self._numeric.forget(state.numbers, tuple(changed))
            origins = state.origins
            if origins:
                gone = frozenset(changed)
                origins = {v: o for v, o in origins.items() if v not in gone}
            facts = state.facts
            if facts:
                gone = frozenset(changed)
                facts = {c: t for c, t in facts.items() if not variables_of(c) & gone}
            after = State(
                numbers, tuple(parts), state.blocks, state.objects, origins, state.kept,
                state.calm, state.root, facts,
            )  # fmt: skip
            return heap.collected(self._world, after)

        return clean

    def _dead_at(self, procedure: Procedure) -> list[tuple[int, ...]]:
        found = self._dead.get(procedure.name)
        if found is None:
            count = len(procedure.variables)
            found = [
                tuple(v for v in range(count) if not row[0] >> v & 1)
                for row in live_variables(procedure)
            ]
            self._dead[procedure.name] = found
        return found


def _few(states: list[State]) -> list[State]:
    unique = {state.key(): state for state in states}
    return list(unique.values())


def _never(state: State) -> Leaves:
    raise GiveUp("control may get to a place that is declared unreachable")
