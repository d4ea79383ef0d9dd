"""The domain `values`: numbers, and pointers to blocks. Implements `Domain`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, final

from precis.domains.picture import Picture
from precis.domains.protocol import (
    CALLERS,
    EXTERNAL,
    CallSite,
    Exit,
    GiveUp,
    Judgement,
    Need,
    ObligationId,
    Outcome,
    Summary,
)
from precis.domains.values import order
from precis.domains.values.assume import Assumptions
from precis.domains.values.calls import Calls, Entry, Frame
from precis.domains.values.control import Control
from precis.domains.values.intervals import Intervals
from precis.domains.values.judge import Judge
from precis.domains.values.library import Library
from precis.domains.values.state import State
from precis.domains.values.terms import Terms
from precis.domains.values.text import Text, decode, encode
from precis.domains.values.transfer import Transfer
from precis.domains.values.value import UNKNOWN, ZERO, any_of
from precis.domains.values.world import FINE, Policy, World
from precis.ir.instr import Call, End, Step
from precis.ir.obligation import Obligation
from precis.ir.procedure import Procedure
from precis.ir.program import Program


@final
class Values:
    """States are `State`, entries and coverages `Entry`, answers `State` at the exit."""

    name = "values"
    version = 1
    packs = False

    def __init__(
        self, program: Program, properties: frozenset[str], may_fail: bool,
        assumed: frozenset[int] = frozenset(), policy: Policy = FINE,
        library: bool = False,
    ) -> None:  # fmt: skip
        self.numeric = Intervals()
        self.world = World(program, properties, may_fail, assumed, policy, library)
        self._terms = Terms(self.world, self.numeric)
        self._assumptions = Assumptions(self.world, self._terms, self.numeric)
        self._transfer = Transfer(self.world, self._terms, self._assumptions, self.numeric)
        self._control = Control(
            self.world, self._terms, self._assumptions, self._transfer, self.numeric
        )
        self._judge = Judge(self.world, self._terms, self._transfer)
        self._calls = Calls(self.world, self._terms, self._transfer, self._judge, self.numeric)
        self._library = Library(self.world, self._terms, self._transfer)
        self._text = Text(self.world)
        # Numbers of the assumptions that were made.
        self.used: dict[int, None] = {CALLERS: None} if library and "leaks" in properties else {}

    # Order.

    def leq(self, small: State, big: State) -> bool:
        return order.leq(self, small, big)

    def join(self, left: State, right: State) -> State:
        return order.join(self, left, right)

    def widen(self, previous: State, current: State) -> State:
        return order.widen(self, previous, current)

    def narrow(self, wide: State, tight: State) -> State:
        return order.narrow(self, wide, tight)

    def key(self, state: State) -> Hashable:
        return state.key()

    def merge_key(self, state: State) -> Hashable:
        return state.shape()

    def may_repeat(self, state: State) -> bool:
        return True

    def widen_entry(self, old: Entry | None, new: Entry | None) -> Entry | None:
        assert old is not None and new is not None
        return self._calls.widen_entry(old, new)

    # Steps.

    def root_entry(self, procedure: Procedure) -> Entry:
        return self._calls.root_entry(procedure)

    def unknown_entry(self, procedure: Procedure) -> Entry:
        return self._calls.unknown_entry(procedure)

    def start(self, procedure: Procedure, entry: Entry | None) -> tuple[State, None]:
        if entry is None:
            entry = self._calls.unknown_entry(procedure)
        return self._calls.start(procedure, entry), None

    def prepare(
        self, procedure: Procedure, step: Step, at: CallSite
    ) -> Callable[[State, None], tuple[State, ...]]:
        effect = self._transfer.effect(procedure, step, at)
        return lambda state, log: effect(state)

    def prepare_end(
        self, procedure: Procedure, end: End, block: int
    ) -> Callable[[State, None], tuple[tuple[int, State], ...]]:
        leave = self._control.end(procedure, end, block)
        return lambda state, log: leave(state)

    def judge(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: None,
    ) -> Judgement[State, Any]:  # fmt: skip
        return self._judge.judge(state, obligation, following, origin)

    def passing(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: None,
    ) -> tuple[State, ...]:  # fmt: skip
        return self._judge.judge(state, obligation, following, origin).passed

    # Calls.

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        if call.function.op == "function":
            return (str(call.function.data),)
        _, pointers, _ = self._terms.use(call.function)(state)
        found = []
        for block, offset in pointers:
            if block == UNKNOWN or not self.world.is_code(block) or offset != ZERO:
                return None
            found.append(self.world.name_of[block])
        return tuple(found)

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite, log: None
    ) -> tuple[tuple[Entry, Frame], ...]:
        return self._calls.enter(state, call, callee, site)

    def resume(
        self, frame: Frame, binding: tuple[()], outcome: Outcome[State], log: None
    ) -> tuple[State, ...]:
        return self._calls.resume(frame, outcome)

    def anything(self, frame: Frame, log: None) -> list[tuple[Exit, tuple[State, ...]]]:
        raise AssertionError("summaries are never refused")

    def returned(
        self, state: State, call: Call, states: Sequence[State], origin: ObligationId
    ) -> Sequence[Judgement[State, Any]]:
        return self._judge.leaks.returned(state, call, states, origin)

    def lift(
        self, frame: Frame, binding: tuple[()], need: Need[Any], site: CallSite
    ) -> Judgement[State, Any]:
        return self._calls.lift(frame, need, site)

    def external(
        self, state: State, call: Call, name: str, site: CallSite, log: None
    ) -> tuple[State, ...] | None:
        known = self._library.call(state, call, name)
        if known is not None or name in self.world.program.procedures:
            return known
        if EXTERNAL not in self.world.assumed:
            raise GiveUp(
                f"the function {name} has no body and no model "
                f"(--assume {EXTERNAL}: it changes no memory)"
            )
        self.used[EXTERNAL] = None
        if call.target is None:
            return (state,)
        type_ = self.world.program.externals[name].type.result
        return (self._transfer.assigned(state, call.target, any_of(type_)),)

    # Summaries.

    def finish(
        self, procedure: Procedure, entry: Entry | None, exits: Sequence[tuple[Exit, State]],
        needs: Sequence[Need[Any]], log: None,
    ) -> Summary[Any, State]:  # fmt: skip
        if entry is None:
            entry = self._calls.unknown_entry(procedure)
        return self._calls.finish(procedure, entry, exits, needs)

    def nothing_known(self, procedure: Procedure, entry: Any, log: None) -> Summary[Any, State]:
        raise AssertionError("finish gives up nothing")

    def unknown_exits(self, state: State) -> Sequence[tuple[Exit, State]]:
        raise AssertionError("what is lost is not contained")

    def join_answers(
        self, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]]
    ) -> tuple[Outcome[State], ...]:
        return self._calls.join_answers(older, newer)

    def join_needs(
        self, older: Sequence[Need[Any]], newer: Sequence[Need[Any]]
    ) -> tuple[Need[Any], ...]:
        fresh = [need for need in newer if need not in set(older)]
        return (*older, *fresh) if fresh or not isinstance(older, tuple) else older

    def bucket(self, procedure: Procedure, entry: Entry | None) -> Hashable:
        return None if entry is None else entry.shape()

    def match(self, coverage: Entry, entry: Entry | None) -> tuple[()] | None:
        if entry is None or coverage is None:
            return () if entry is coverage else None
        return self._calls.match(coverage, entry)

    def encode(self, summary: Summary[Any, State]) -> Any:
        return encode(summary)

    def decode(self, data: Any) -> Summary[Any, State]:
        return decode(data)

    def describe(self, summary: Summary[Any, State]) -> Sequence[str]:
        return self._text.describe(summary)

    def packed(self, summary: Summary[Any, State]) -> Summary[Any, State]:
        return summary

    def preconditions(self, summary: Summary[Any, State]) -> dict[Need[Any], str]:
        procedure = self.world.program.procedures[summary.piece.procedure]
        return {need: _asked(need, procedure) for need in summary.needs}

    def draw(self, summary: Summary[Any, State]) -> Sequence[Picture]:
        return self._text.draw(summary)


def _asked(need: Need[Any], procedure: Procedure) -> str:
    describe = getattr(need.safe_if, "describe", None)
    return str(describe(procedure)) if describe is not None else "its entry is covered"
