"""A compositional domain small enough to be right by inspection.

A state is the set of constants that were assigned on some way to here. Every procedure is
analysed for unknown callers; the answer is the set at its exit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from precis.domains.protocol import (
    CallSite,
    Exit,
    Judgement,
    Need,
    ObligationId,
    Outcome,
    Piece,
    Side,
    Standing,
    Summary,
)
from precis.ir.instr import Assign, Branch, Call, End, Halt, Jump, Return, Step, Switch
from precis.ir.procedure import Procedure

State = frozenset[int]


class Constants:
    name = "constants"
    version = 1
    packs = False

    def __init__(self) -> None:
        self.started: list[str] = []

    def leq(self, small: State, big: State) -> bool:
        return small <= big

    def join(self, left: State, right: State) -> State:
        return left | right

    def widen(self, previous: State, current: State) -> State:
        return previous | current

    def narrow(self, wide: State, tight: State) -> State:
        return wide

    def key(self, state: State) -> State:
        return state

    def merge_key(self, state: State) -> None:
        return None

    def may_repeat(self, state: State) -> bool:
        return True

    def widen_entry(self, old: None, new: None) -> None:
        return None

    def start(self, procedure: Procedure, entry: None) -> tuple[State, None]:
        self.started.append(procedure.name)
        return frozenset(), None

    def prepare(
        self, procedure: Procedure, step: Step, at: CallSite
    ) -> Callable[[State, None], tuple[State, ...]]:
        if isinstance(step, Assign) and step.value.op == "const":
            made = frozenset({int(step.value.data)})  # type: ignore[arg-type]
            return lambda state, log: (state | made,)
        return lambda state, log: (state,)

    def prepare_end(
        self, procedure: Procedure, end: End, block: int
    ) -> Callable[[State, None], tuple[tuple[int, State], ...]]:
        match end:
            case Jump(to=to):
                return lambda state, log: ((to, state),)
            case Branch(then=then, otherwise=otherwise):
                return lambda state, log: ((then, state), (otherwise, state))
            case Switch(cases=cases, default=default):
                targets = [*(case.to for case in cases), default]
                return lambda state, log: tuple((to, state) for to in targets)
            case Return() | Halt():
                return lambda state, log: ((-1, state),)
            case _:
                return lambda state, log: ()

    def judge(
        self, state: State, obligation: Any, following: Any, origin: ObligationId, log: None
    ) -> Judgement[State, None]:
        return Judgement(Standing.MET, (state,))

    def passing(
        self, state: State, obligation: Any, following: Any, origin: ObligationId, log: None
    ) -> tuple[State, ...]:
        return (state,)

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        return (str(call.function.data),) if call.function.op == "function" else None

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite, log: None
    ) -> tuple[tuple[None, State], ...]:
        return ((None, state),)

    def resume(
        self, frame: State, binding: tuple[()], outcome: Outcome[State], log: None
    ) -> tuple[State, ...]:
        return (frame | outcome.answer,)

    def returned(self, state: State, call: Any, states: Any, origin: Any) -> tuple[()]:
        return ()

    def lift(
        self, frame: State, binding: tuple[()], need: Need[None], site: CallSite
    ) -> Judgement[State, None]:
        return Judgement(Standing.MET, ())

    def external(
        self, state: State, call: Call, name: str, site: CallSite, log: None
    ) -> tuple[State, ...] | None:
        return None

    def finish(
        self, procedure: Procedure, entry: None, exits: Sequence[tuple[Exit, State]],
        needs: Sequence[Need[None]], log: None,
    ) -> Summary[None, State]:  # fmt: skip
        outcomes = tuple(Outcome(exit_, state) for exit_, state in exits)
        return Summary(Piece(procedure.name), Side.OVER, None, outcomes)

    def join_answers(
        self, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]]
    ) -> tuple[Outcome[State], ...]:
        fresh = [o for o in newer if o not in older]
        known = older if isinstance(older, tuple) else tuple(older)
        return (*known, *fresh) if fresh else known

    def join_needs(
        self, older: Sequence[Need[None]], newer: Sequence[Need[None]]
    ) -> tuple[Need[None], ...]:
        fresh = [need for need in newer if need not in older]
        return (*older, *fresh) if fresh or not isinstance(older, tuple) else older

    def bucket(self, procedure: Procedure, entry: None) -> None:
        return None

    def match(self, coverage: None, entry: None) -> tuple[()]:
        return ()

    def describe(self, summary: Summary[None, State]) -> list[str]:
        return [str(sorted(o.answer)) for o in summary.outcomes]
